/**
 * The clock tells the time in seconds, and sleeps until it is told not to.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { createClock } from "../../../../adapters/http/transport/clock.ts";

test("now is in epoch seconds", () => {
  const before = Date.now() / 1000;
  const now = createClock().now();
  assert(now >= before && now <= Date.now() / 1000);
});

test("sleep ends by itself, at once for nothing, and with false as soon as it is aborted", async () => {
  const clock = createClock();
  assertEquals(await clock.sleep(0.001), true);
  assertEquals(await clock.sleep(0), true);
  assertEquals(await clock.sleep(-5), true);
  assertEquals(await clock.sleep(Number.NaN), true);
  assertEquals(await clock.sleep(1000, AbortSignal.abort()), false);
  const controller = new AbortController();
  const slept = clock.sleep(1000, controller.signal);
  controller.abort();
  assertEquals(await slept, false);
});

test("a sleep longer than timers can count does not end at once", async () => {
  const controller = new AbortController();
  const slept = createClock().sleep(10 ** 9, controller.signal);
  const first = await Promise.race([slept, createClock().sleep(0.01).then(() => "still asleep")]);
  controller.abort();
  assertEquals(first, "still asleep");
  assertEquals(await slept, false);
});
