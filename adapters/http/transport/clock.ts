/**
 * The clock port over the runtime's own clock and timers.
 *
 * What a point in time means (life of a lease, skew, renewal) is decided in `core/enterprise`, which is given `now`;
 * what a port is in `core/ports/clock.ts`.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import { LONGEST_DELAY_MS } from "../../async/longest_delay.ts";

/** Creates the clock. A waiting timer keeps the program running until it is over or aborted. */
export function createClock(): ClockPort {
  return {
    now: () => Date.now() / 1000,
    sleep: async (seconds, signal) => {
      let rest = Number.isNaN(seconds) ? 0 : Math.max(0, seconds * 1000);
      while (rest > LONGEST_DELAY_MS) {
        if (!await wait(LONGEST_DELAY_MS, signal)) return false;
        rest -= LONGEST_DELAY_MS;
      }
      return await wait(rest, signal);
    },
  };
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (slept: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(slept);
    };
    const abort = (): void => end(false);
    const timer = setTimeout(() => end(true), milliseconds);
    signal?.addEventListener("abort", abort);
  });
}
