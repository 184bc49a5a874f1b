/**
 * A clock that goes when the test says so: `setTimeout`, `clearTimeout` and `performance.now`.
 *
 * @module
 */

import { mock } from "node:test";
import { setImmediate } from "node:timers";

/** Lets time pass, and what waited for it run. */
export type Tick = (ms: number) => Promise<void>;

/** Lets everything run that waits for no time. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(() => resolve(undefined)));
}

/** Runs `body` under such a clock. */
export async function withClock(body: (tick: Tick) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  try {
    await body(async (ms) => {
      await settled();
      now += ms;
      mock.timers.tick(ms);
      await settled();
    });
  } finally {
    clock.mock.restore();
    mock.timers.reset();
  }
}
