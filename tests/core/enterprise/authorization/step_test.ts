import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import {
  andThen,
  blockServer,
  dropLeases,
  revoke,
  stay,
  unblockAll,
} from "../../../../core/enterprise/authorization/step.ts";
import { scene } from "./scene.ts";

test("revoke: a new epoch each time, the first reason stays, pending work is cancelled first", () => {
  const first = revoke(scene(), { reason: "replaced", servers: ["one"] });
  assertEquals(first.effects, [
    { kind: "cancel-pending" },
    { kind: "drop-lease", lease: "lease-one" },
    { kind: "revoke-thread", thread: "t", server: "one", reason: "replaced" },
  ]);
  const second = revoke(first.state, { reason: "deleted" });
  assertEquals(second.state.threads.map(({ revoked }) => revoked), ["replaced", "deleted"]);
  assertEquals(second.state.epoch, scene().epoch + 2);
});

test("andThen, dropLeases, blockServer: effects in order, the state before is untouched", () => {
  const before = scene();
  const step = andThen(
    dropLeases(before, ({ server }) => server === "two"),
    (state) => blockServer(state, ["one", { kind: "assertion" }]),
  );
  assertEquals(step.effects.map(({ kind }) => kind), ["drop-lease", "drop-lease", "block-server"]);
  assertEquals(before, scene());
  assert(step.state !== before);
  assertEquals(unblockAll(step.state).servers, before.servers);
  assertEquals(stay(before), { state: before, effects: [] });
});
