import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { epochText, isEpochSeconds, MAX_EPOCH_SECONDS } from "../../../core/enterprise/epoch.ts";

test("a point in time is one that a date can name", () => {
  for (const value of [0, 1, 1_785_283_200, 1_785_283_200.5, MAX_EPOCH_SECONDS]) {
    assertEquals(isEpochSeconds(value), true, String(value));
    assertEquals(Number.isNaN(Date.parse(epochText(value))), false, String(value));
  }
  for (
    const value of [MAX_EPOCH_SECONDS + 1, 9e12, 1e300, Infinity, NaN, -1, "1", null, undefined, 1n]
  ) {
    assertEquals(isEpochSeconds(value), false, String(value));
  }
});

test("what is no point in time is written too, and never thrown over", () => {
  assertEquals(epochText(1_785_283_200), "2026-07-29T00:00:00.000Z");
  for (const value of [9e12, Infinity, NaN, -1]) assertEquals(epochText(value), "an unknown time");
});
