import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { authorizationOf, ScopeMemory } from "../../../../adapters/http/leases/scope_memory.ts";
import { initialState } from "../../../../core/enterprise/authorization/state.ts";

const USE = { thread: "a", server: "b" };

test("scopes are kept for one thread at one server, until they are forgotten", () => {
  const memory = new ScopeMemory(() => "in force");
  memory.set(USE, ["write"]);
  assertEquals(memory.get(USE), ["write"]);
  assertEquals(memory.get({ thread: "a,b", server: "" }), undefined);
  assertEquals(memory.get({ thread: "b", server: "a" }), undefined);
  memory.forget(USE);
  assertEquals(memory.get(USE), undefined);
});

test("they belong to the authorization that they were got with, and end with the thread", () => {
  let inForce: string | null = "one";
  const memory = new ScopeMemory(() => inForce);
  memory.set(USE, ["write"]);
  inForce = "two";
  assertEquals(memory.get(USE), undefined);
  inForce = "one";
  assertEquals(memory.get(USE), undefined, "they came back");
  inForce = null;
  memory.set(USE, ["write"]);
  inForce = "one";
  assertEquals(memory.get(USE), undefined, "they were got for nobody");
  memory.set(USE, ["write"]);
  memory.set({ ...USE, thread: "c" }, ["admin"]);
  memory.close("a");
  assertEquals([memory.get(USE), memory.get({ ...USE, thread: "c" })], [undefined, ["admin"]]);
});

test("an authorization is an account, a generation and a registration, and none when it is revoked", () => {
  const thread = { ...USE, owner: "o", generation: "g", fingerprint: "f", revoked: null };
  const named = (changes: object): string | null =>
    authorizationOf({ ...initialState("host"), threads: [{ ...thread, ...changes }] }, USE);
  const all = [{}, { owner: "p" }, { generation: "h" }, { fingerprint: "i" }].map(named);
  assertEquals(new Set(all).size, 4);
  assertEquals([named({ revoked: "signed-out" }), authorizationOf(initialState("host"), USE)], [null, null]);
});
