/**
 * The time in which a server has to be ready.
 *
 * @module
 */

import { follow, type Follower } from "../../../async/follow.ts";
import { LONGEST_DELAY_MS } from "../../../async/longest_delay.ts";

/** A deadline that runs from its creation, and ends early when another signal is aborted. */
export class StartDeadline {
  readonly #follower: Follower;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #ends: number;

  /** Starts the time of `ms` milliseconds; `signal` ends it early. */
  constructor(ms: number, signal: AbortSignal) {
    this.#ends = performance.now() + ms;
    this.#follower = follow(signal);
    this.#timer = setTimeout(() => this.#follower.controller.abort(), Math.min(ms, LONGEST_DELAY_MS));
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#follower.controller.signal;
  }

  /** Milliseconds that are left, at least 0. */
  get remainingMs(): number {
    return this.signal.aborted ? 0 : Math.max(0, this.#ends - performance.now());
  }

  /** `work`'s outcome; `undefined` when the time is over first, and what `work` comes to then is nobody's concern. */
  async race<Value>(work: Promise<Value>): Promise<Value | undefined> {
    const { signal } = this;
    let over: () => void = () => undefined;
    const late = new Promise<undefined>((resolve) => over = () => resolve(undefined));
    signal.addEventListener("abort", over);
    if (signal.aborted) over();
    work.catch(() => undefined);
    try {
      return await Promise.race([late, work]);
    } finally {
      signal.removeEventListener("abort", over);
    }
  }

  /** Ends the timer. Call it when the work is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#follower.stop();
  }
}
