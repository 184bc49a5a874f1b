import { assert, assertThrows } from "@std/assert";
import { test } from "node:test";
import { kilobytesOfKey, LIMITS_KB } from "../../../scripts/bench/sizes.ts";

test("what a bundle of a key weighs stays within its limit", { timeout: 120_000 }, async () => {
  for (const [key, limit] of Object.entries(LIMITS_KB)) {
    const kilobytes = await kilobytesOfKey(key);
    assert(kilobytes > 1, `${key}: ${kilobytes} KB cannot be all of it`);
    assert(kilobytes <= limit, `${key}: ${kilobytes} KB of at most ${limit} KB`);
  }
});

test("a key that does not exist has no size", () => {
  assertThrows(() => kilobytesOfKey("./nothing"), Error, "./nothing");
});
