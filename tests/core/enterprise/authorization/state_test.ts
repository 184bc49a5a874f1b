import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { initialState, serverOf, threadOf } from "../../../../core/enterprise/authorization/state.ts";
import { scene } from "./scene.ts";

test("initialState: nothing is known, so nothing may be used", () => {
  assertEquals(initialState("host").configuration, { kind: "unavailable" });
  assertEquals(initialState("sign-in").ownerFrom, "sign-in");
});

test("serverOf, threadOf: by name", () => {
  assertEquals(serverOf(scene(), "two")?.fingerprint, "f2");
  assertEquals(serverOf(scene(), "toString"), undefined);
  assertEquals(threadOf(scene(), { thread: "t", server: "two" })?.server, "two");
  assertEquals(threadOf(scene(), { thread: "u", server: "two" }), undefined);
});
