import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { ScopeMemory } from "../../../adapters/http/scope_memory.ts";

test("scopes are kept for one thread at one server, until they are forgotten", () => {
  const memory = new ScopeMemory();
  memory.set({ thread: "a", server: "b" }, ["write"]);
  assertEquals(memory.get({ thread: "a", server: "b" }), ["write"]);
  assertEquals(memory.get({ thread: "a,b", server: "" }), undefined);
  assertEquals(memory.get({ thread: "b", server: "a" }), undefined);
  memory.forget({ thread: "a", server: "b" });
  assertEquals(memory.get({ thread: "a", server: "b" }), undefined);
});
