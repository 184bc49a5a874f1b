/**
 * The lease store in the memory of one process: for tests, and for programs that make several `EnterpriseTokens` in one
 * process. The one for several processes is in `adapters/redis`.
 *
 * What it implements is decided in `core/ports/lease_store.ts`.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import type { LeaseChange, LeaseStore } from "../../../core/ports/lease_store.ts";

/** How many texts are kept when nothing else is said. */
const DEFAULT_SIZE = 10_000;

/** How a store in memory works. */
export interface MemoryLeaseStoreOptions {
  /** Tells the time. */
  readonly clock: Pick<ClockPort, "now">;
  /** How many texts are kept at most; default 10,000. The oldest goes first. */
  readonly size?: number | undefined;
}

interface Kept {
  readonly text: string;
  /** Epoch seconds. */
  readonly until: number;
}

/**
 * Keeps leases in memory.
 *
 * @example
 * ```ts
 * import { createClock } from "@codex-mcp/runtime/http";
 * import { MemoryLeaseStore } from "@codex-mcp/runtime/http/tokens";
 *
 * const store = new MemoryLeaseStore({ clock: createClock() });
 * const { signal } = new AbortController();
 * await store.change("name", { expected: null, next: "text", seconds: 60 }, signal);
 * console.log(await store.read("name", signal)); // text
 * ```
 */
export class MemoryLeaseStore implements LeaseStore {
  readonly #clock: Pick<ClockPort, "now">;
  readonly #size: number;
  readonly #kept = new Map<string, Kept>();

  /** Begins empty. */
  constructor({ clock, size = DEFAULT_SIZE }: MemoryLeaseStoreOptions) {
    this.#clock = clock;
    this.#size = size;
  }

  /** The text under `name`; `null`: there is none, or its time is over. Rejects when `signal` is aborted. */
  read(name: string, signal: AbortSignal): Promise<string | null> {
    return answer(() => this.#find(name), signal);
  }

  /** Compares and changes; `false`: something else was there. Rejects when `signal` is aborted. */
  change(name: string, change: LeaseChange, signal: AbortSignal): Promise<boolean> {
    return answer(() => this.#change(name, change), signal);
  }

  #change(name: string, change: LeaseChange): boolean {
    if (this.#find(name) !== change.expected) return false;
    this.#kept.delete(name);
    if (change.next !== null) {
      this.#kept.set(name, { text: change.next, until: this.#clock.now() + change.seconds });
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#size) break;
      this.#kept.delete(oldest);
    }
    return true;
  }

  #find(name: string): string | null {
    const kept = this.#kept.get(name);
    return kept === undefined || kept.until <= this.#clock.now() ? null : kept.text;
  }
}

/** What `work` gives, in one step: nothing comes between its comparing and its changing. */
function answer<Value>(work: () => Value, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve) => {
    signal.throwIfAborted();
    resolve(work());
  });
}
