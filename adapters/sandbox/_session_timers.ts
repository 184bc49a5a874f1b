/**
 * The two clocks of a session: how long nobody has used it, and how long it has existed.
 *
 * This file decides when they run. `session.ts` says what a use is and ends what has run out.
 *
 * @module
 */

import { LONGEST_DELAY_MS } from "../async/longest_delay.ts";

/** How long a session may be idle, and exist. */
export interface SessionTimes {
  /** Milliseconds from the end of one use to the start of the next. */
  readonly idleTimeoutMs: number;
  /** Milliseconds from the first start. */
  readonly lifetimeMs: number;
}

/** Runs from `start` to `stop`, as often as they are called; the lifetime counts from the first start on. */
export class SessionTimers {
  readonly #times: SessionTimes;
  readonly #onLimit: (limit: "idle-limit" | "lifetime-limit") => void;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #lifetime: ReturnType<typeof setTimeout> | undefined;
  #deadline: number | undefined;
  #running = false;
  #uses = 0;

  /** Creates timers that stand still; `onLimit` is told when one has run out. */
  constructor(times: SessionTimes, onLimit: (limit: "idle-limit" | "lifetime-limit") => void) {
    this.#times = times;
    this.#onLimit = onLimit;
  }

  /** Starts both. */
  start(): void {
    this.stop();
    this.#running = true;
    const { lifetimeMs } = this.#times;
    this.#deadline ??= performance.now() + lifetimeMs;
    const left = Math.max(0, this.#deadline - performance.now());
    this.#lifetime = setTimeout(() => this.#onLimit("lifetime-limit"), Math.min(left, LONGEST_DELAY_MS));
    this.#arm();
  }

  /** Stops both, so that neither keeps the program alive. */
  stop(): void {
    this.#running = false;
    clearTimeout(this.#lifetime);
    clearTimeout(this.#idle);
  }

  /** Holds the idle time back while `use` goes on, and starts it anew afterwards. */
  async during<Value>(use: () => Promise<Value>): Promise<Value> {
    this.#uses++;
    clearTimeout(this.#idle);
    try {
      return await use();
    } finally {
      this.#uses--;
      this.#arm();
    }
  }

  #arm(): void {
    clearTimeout(this.#idle);
    if (!this.#running || this.#uses > 0) return;
    const { idleTimeoutMs } = this.#times;
    this.#idle = setTimeout(() => this.#onLimit("idle-limit"), Math.min(idleTimeoutMs, LONGEST_DELAY_MS));
  }
}
