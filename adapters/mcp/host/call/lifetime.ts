/**
 * How long a call lives: until it is over, or its caller, its thread, its host or its deadline ends it. Whoever is
 * first gives the error that it ends with.
 *
 * The deadline covers all that the call does, connecting included, and stands still while the host's own people are
 * asked something.
 *
 * @module
 */

import type { CodexMcpError } from "../../../../core/errors.ts";
import { LONGEST_DELAY_MS } from "../../../async/longest_delay.ts";

/** What can end a call. */
export interface CallEnd {
  /** Aborted when it does. */
  readonly signal: AbortSignal;
  /** The error that the call ends with. */
  readonly error: () => CodexMcpError;
}

/** How long a call may live. */
export interface CallLifetimeOptions {
  /** What can end it, the strongest first: of several that are aborted already, the first counts. */
  readonly ends: readonly CallEnd[];
  /** Milliseconds that it may take. */
  readonly timeoutMs: number;
  /** The error that it ends with when they are over. */
  readonly timedOut: () => CodexMcpError;
}

/** What a server is told of a call that has ended. Why is not its affair. */
const TOLD = "The caller does not wait any more";

/** The life of one call. */
export class CallLifetime {
  readonly #controller = new AbortController();
  readonly #ended: Promise<never>;
  readonly #listeners: (readonly [AbortSignal, () => void])[] = [];
  readonly #timedOut: () => CodexMcpError;
  #error: CodexMcpError | null = null;
  #reject: (error: unknown) => void = () => {};
  #remainingMs: number;
  #startedAt = 0;
  #asking = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  /** Begins. */
  constructor({ ends, timeoutMs, timedOut }: CallLifetimeOptions) {
    this.#ended = new Promise((_, reject) => this.#reject = reject);
    this.#ended.catch(() => {}); // nobody may be waiting yet
    this.#timedOut = timedOut;
    this.#remainingMs = Math.min(Math.max(timeoutMs, 0), LONGEST_DELAY_MS);
    for (const { signal, error } of ends) {
      const end = (): void => this.end(error());
      if (signal.aborted) end();
      else {
        signal.addEventListener("abort", end);
        this.#listeners.push([signal, end]);
      }
    }
    this.#run();
  }

  /** Aborted when the call is ended. Its reason tells nothing. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What the call was ended with; `null`: it was not. */
  get error(): CodexMcpError | null {
    return this.#error;
  }

  /** Whether it was ended, or is over. */
  get isOver(): boolean {
    return this.#over || this.#error !== null;
  }

  /** Ends the call. The first word counts. */
  end(error: CodexMcpError): void {
    if (this.#over || this.#error !== null) return;
    this.#error = error;
    clearTimeout(this.#timer);
    this.#reject(error);
    this.#controller.abort(TOLD);
  }

  /** What `work` comes to, or the error that the call is ended with when that is first. */
  async during<Value>(work: Promise<Value>): Promise<Value> {
    work.catch(() => {}); // it may fail after the call has ended
    return await Promise.race([this.#ended, work]);
  }

  /** Does `work` while the deadline stands still. */
  async whileAsking<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#asking++ === 0) {
      clearTimeout(this.#timer);
      this.#remainingMs -= performance.now() - this.#startedAt;
    }
    try {
      return await work();
    } finally {
      if (--this.#asking === 0) this.#run();
    }
  }

  /** The call is over: nothing ends it any more. */
  over(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    for (const [signal, end] of this.#listeners) signal.removeEventListener("abort", end);
  }

  #run(): void {
    if (this.#over || this.#error !== null) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.end(this.#timedOut()), Math.max(this.#remainingMs, 0));
  }
}
