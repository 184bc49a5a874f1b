import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { SessionTimers, type SessionTimes } from "../../../adapters/sandbox/_session_timers.ts";
import { type Tick, withClock } from "./_clock.ts";

function timersTest(
  title: string,
  times: SessionTimes,
  body: (timers: SessionTimers, tick: Tick, limits: readonly string[]) => Promise<void>,
): void {
  test(title, () =>
    withClock(async (tick) => {
      const limits: string[] = [];
      await body(new SessionTimers(times, (limit) => limits.push(limit)), tick, limits);
    }));
}

const SHORT = { idleTimeoutMs: 10, lifetimeMs: 1_000 };

timersTest("nothing runs before the start, nor after the stop", SHORT, async (timers, tick, limits) => {
  await tick(10_000);
  timers.start();
  await tick(9);
  timers.stop();
  await tick(10_000);
  assertEquals(limits, []);
});

timersTest("idle time counts from the end of the last use", SHORT, async (timers, tick, limits) => {
  timers.start();
  await tick(9);
  await timers.during(() => tick(500));
  await tick(9);
  assertEquals(limits, []);
  await tick(1);
  assertEquals(limits, ["idle-limit"]);
});

timersTest(
  "uses that overlap hold the idle time back, and one that fails ends",
  SHORT,
  async (timers, tick, limits) => {
    timers.start();
    let end: () => void = () => {};
    const first = timers.during(() => new Promise<void>((resolve) => end = resolve));
    const failed = await timers.during(() => Promise.reject(new Error("no"))).catch((error) => error.message);
    await tick(50);
    assertEquals([failed, limits], ["no", []]);
    end();
    await first;
    await tick(10);
    assertEquals(limits, ["idle-limit"]);
  },
);

timersTest(
  "the lifetime counts from the first start, uses and restarts or not",
  { idleTimeoutMs: 1_000, lifetimeMs: 30 },
  async (timers, tick, limits) => {
    timers.start();
    await tick(20);
    timers.stop();
    timers.start();
    await timers.during(() => tick(9));
    assertEquals(limits, []);
    await tick(1);
    assertEquals(limits, ["lifetime-limit"]);
    timers.stop();
    timers.start();
    await tick(1);
    assertEquals(limits, ["lifetime-limit", "lifetime-limit"]);
  },
);

timersTest("a use after the stop starts nothing", SHORT, async (timers, tick, limits) => {
  timers.start();
  timers.stop();
  await timers.during(() => Promise.resolve());
  await tick(10_000);
  assertEquals(limits, []);
});

timersTest(
  "times beyond what a timer can wait are cut, so that they do not run out at once",
  { idleTimeoutMs: 2 ** 40, lifetimeMs: 2 ** 41 },
  async (timers, tick, limits) => {
    timers.start();
    await tick(2 ** 31 - 2);
    assertEquals(limits, []);
    await tick(1);
    assertEquals(limits.toSorted(), ["idle-limit", "lifetime-limit"]);
  },
);
