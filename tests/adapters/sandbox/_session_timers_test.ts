import { assertEquals } from "@std/assert";
import { mock, test } from "node:test";
import { SessionTimers } from "../../../adapters/sandbox/_session_timers.ts";

/** Timers under a clock of the test; `performance.now` goes with it. */
function bench(idleTimeoutMs: number, lifetimeMs: number): {
  readonly timers: SessionTimers;
  readonly limits: string[];
  tick(ms: number): void;
  [Symbol.dispose](): void;
} {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  const limits: string[] = [];
  return {
    timers: new SessionTimers({ idleTimeoutMs, lifetimeMs }, (limit) => limits.push(limit)),
    limits,
    tick: (ms) => {
      now += ms;
      mock.timers.tick(ms);
    },
    [Symbol.dispose]: () => {
      clock.mock.restore();
      mock.timers.reset();
    },
  };
}

test("nothing runs before the start, nor after the stop", () => {
  using clock = bench(10, 20);
  clock.tick(100);
  clock.timers.start();
  clock.tick(9);
  clock.timers.stop();
  clock.tick(100);
  assertEquals(clock.limits, []);
});

test("idle time counts from the end of the last use", async () => {
  using clock = bench(10, 1_000);
  clock.timers.start();
  clock.tick(9);
  await clock.timers.during(() => Promise.resolve(clock.tick(500)));
  clock.tick(9);
  assertEquals(clock.limits, []);
  clock.tick(1);
  assertEquals(clock.limits, ["idle-limit"]);
});

test("one use of two that overlap holds the idle time back, and a use that fails ends", async () => {
  using clock = bench(10, 1_000);
  clock.timers.start();
  let end: () => void = () => {};
  const first = clock.timers.during(() => new Promise<void>((resolve) => end = resolve));
  const failed = await clock.timers.during(() => Promise.reject(new Error("no"))).catch((error) =>
    error.message
  );
  clock.tick(50);
  assertEquals([failed, clock.limits], ["no", []]);
  end();
  await first;
  clock.tick(10);
  assertEquals(clock.limits, ["idle-limit"]);
});

test("the lifetime counts from the first start, uses and restarts or not", async () => {
  using clock = bench(1_000, 30);
  clock.timers.start();
  clock.tick(20);
  clock.timers.stop();
  clock.timers.start();
  await clock.timers.during(() => Promise.resolve(clock.tick(9)));
  assertEquals(clock.limits, []);
  clock.tick(1);
  assertEquals(clock.limits, ["lifetime-limit"]);
  clock.timers.stop();
  clock.timers.start();
  clock.tick(0);
  assertEquals(clock.limits, ["lifetime-limit", "lifetime-limit"]);
});

test("a use after the stop starts nothing", async () => {
  using clock = bench(10, 20);
  clock.timers.start();
  clock.timers.stop();
  await clock.timers.during(() => Promise.resolve());
  clock.tick(100);
  assertEquals(clock.limits, []);
});

test("times beyond what a timer can wait are cut, so that they do not run out at once", () => {
  using clock = bench(2 ** 40, 2 ** 41);
  clock.timers.start();
  clock.tick(2 ** 31 - 2);
  assertEquals(clock.limits, []);
  clock.tick(1);
  assertEquals(clock.limits.toSorted(), ["idle-limit", "lifetime-limit"]);
});
