import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isCurrent, tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { scene } from "./scene.ts";

test("tagOf, isCurrent: epoch, owner, generation, server and registration all count", () => {
  const state = scene();
  const tag = tagOf(state, "one");
  assertEquals(tag, {
    epoch: state.epoch,
    owner: "alice",
    generation: "g1",
    server: "one",
    fingerprint: "f1",
  });
  assertEquals(isCurrent(state, { tag, server: "one" }), true);
  const others = [{ epoch: 0 }, { owner: null }, { generation: "g2" }, { server: "two" }, {
    fingerprint: "f2",
  }];
  for (const other of others) {
    assertEquals(isCurrent(state, { tag: { ...tag, ...other }, server: "one" }), false);
  }
  assertEquals(isCurrent(state, { tag, server: "two" }), false);
  assertEquals(isCurrent(state, { tag, server: null }), false);
  const signIn = tagOf(state, null);
  assertEquals(signIn, {
    epoch: state.epoch,
    owner: "alice",
    generation: "g1",
    server: null,
    fingerprint: null,
  });
  assertEquals(isCurrent(state, { tag: signIn, server: null }), true);
});
