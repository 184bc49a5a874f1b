import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  HEALTHY_SECONDS,
  LONGEST_PAUSE,
  pauseAfter,
} from "../../../../../adapters/mcp/host/connect/backoff.ts";

test("pauses double from 250 ms up to the longest, and are at least the half of that", () => {
  assertEquals([1, 2, 3, 4, 7, 8, 9].map((failures) => pauseAfter(failures, 1)), [
    0.25,
    0.5,
    1,
    2,
    16,
    30,
    30,
  ]);
  assertEquals([1, 2, 8].map((failures) => pauseAfter(failures, 0)), [0.125, 0.25, 15]);
});

test("any number of failures has a pause", () => {
  for (const failures of [1, 100, 2_000, 1e9]) {
    for (const random of [0, 0.5, 0.999]) {
      const pause = pauseAfter(failures, random);
      assert(pause > 0 && pause <= LONGEST_PAUSE, String(pause));
    }
  }
  assertEquals(HEALTHY_SECONDS, 30);
});
