import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  type EraFailure,
  firstPlan,
  nextMemory,
  secondPlan,
} from "../../../../../adapters/mcp/host/connect/era_plan.ts";

const stdio = { memory: null, transport: "stdio", startupMs: 30_000 } as const;
const handshake = (ms: number) => ({ mode: "legacy", probeMs: ms, handshakeMs: ms }) as const;
const pinned = (ms: number) => ({ mode: { pin: "2026-07-28" }, probeMs: ms, handshakeMs: ms }) as const;
const FAILURES: readonly EraFailure[] = ["ended", "silent", "refused", "confused"];

test("what is configured is done, all the time, and nothing after it", () => {
  for (const memory of [null, "legacy"] as const) {
    assertEquals(firstPlan({ protocol: "legacy" }, { ...stdio, memory }), handshake(30_000));
    assertEquals(firstPlan({ protocol: "2026-07-28" }, { ...stdio, memory }), pinned(30_000));
  }
  for (const first of [handshake(30_000), pinned(30_000)]) {
    for (const failure of FAILURES) {
      assertEquals(secondPlan(first, { failure, elapsedMs: 30_000, remainingMs: 1_000 }), null);
    }
  }
});

test("auto asks a stdio server for a while, and leaves time for the handshake and a second start", () => {
  const auto = { protocol: "auto" } as const;
  assertEquals(firstPlan(auto, stdio), { mode: "auto", probeMs: 5_000, handshakeMs: 15_000 });
  assertEquals(firstPlan(auto, { ...stdio, startupMs: 3_000 }), {
    mode: "auto",
    probeMs: 750,
    handshakeMs: 1_250,
  });
  assertEquals(firstPlan(auto, { ...stdio, transport: "http" }), {
    mode: "auto",
    probeMs: 20_000,
    handshakeMs: 20_000,
  });
  assertEquals(firstPlan(auto, { ...stdio, memory: "legacy" }), handshake(30_000));
});

test("after auto: the handshake, or exactly 2026-07-28 for one that was only slow", () => {
  const first = firstPlan({ protocol: "auto" }, stdio);
  for (const failure of ["ended", "silent", "confused"] as const) {
    assertEquals(secondPlan(first, { failure, elapsedMs: 1, remainingMs: 9_000 }), handshake(9_000));
  }
  assertEquals(
    secondPlan(first, { failure: "refused", elapsedMs: 6_000, remainingMs: 9_000 }),
    pinned(9_000),
  );
  assertEquals(secondPlan(first, { failure: "refused", elapsedMs: 4_000, remainingMs: 9_000 }), null);
  assertEquals(secondPlan(first, { failure: null, elapsedMs: 6_000, remainingMs: 9_000 }), null);
  assertEquals(secondPlan(first, { failure: "ended", elapsedMs: 30_000, remainingMs: 0 }), null);
});

test("what is remembered", () => {
  const auto = firstPlan({ protocol: "auto" }, stdio);
  const legacy = handshake(9_000);
  assertEquals(nextMemory(null, { plan: auto, second: false, failed: null }), null);
  assertEquals(nextMemory(null, { plan: auto, second: false, failed: null, inVain: true }), "legacy");
  assertEquals(nextMemory(null, { plan: legacy, second: true, failed: null }), "legacy");
  assertEquals(nextMemory(null, { plan: pinned(9_000), second: true, failed: null }), null);
  assertEquals(nextMemory("legacy", { plan: legacy, second: false, failed: null }), "legacy");
  assertEquals(nextMemory(null, { plan: legacy, second: true, failed: "silent" }), "legacy");
  assertEquals(nextMemory(null, { plan: legacy, second: true, failed: "ended" }), null);
  for (const failed of FAILURES) {
    assertEquals(nextMemory("legacy", { plan: legacy, second: false, failed }), null);
  }
  assertEquals(nextMemory("legacy", { plan: legacy, second: false, failed: undefined }), "legacy");
});
