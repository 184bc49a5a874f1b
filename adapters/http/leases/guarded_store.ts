/**
 * A lease store that may be down, slow, silent or full, and never in the way: each operation has a time limit, after a
 * failure the store is left alone for a while, and nobody ever gets its errors. They are told once, until it works
 * again. Operations that were under way together fail once, and after a pause one alone finds out how the store is.
 *
 * What a store is is decided in `core/ports/lease_store.ts`; what is done without one in `shared_lease_claims.ts`.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import type { LeaseChange, LeaseStore } from "../../../core/ports/lease_store.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import { type RedactedCause, redactError } from "../transport/redact.ts";

/** What a program is told about its lease store. No name, no text and no token is in it. */
export type LeaseStoreEvent =
  /** The store failed. Leases are got without it until it works again. */
  | {
    readonly kind: "lease-store-failed";
    /** Whether it did not answer in time, or failed. */
    readonly reason: "silent" | "failed";
    /** Name and code of its error. */
    readonly cause: RedactedCause;
  }
  /** The store works again. */
  | { readonly kind: "lease-store-recovered" }
  /**
   * Something in the store was not sealed with one of our keys for the place that it was found in, or was damaged. It
   * was not used. Told once for each place, until a lease is found there.
   */
  | { readonly kind: "lease-refused" };

/** How a store is guarded. */
export interface GuardedStoreOptions {
  /** The store. */
  readonly store: LeaseStore;
  /** Tells the time. */
  readonly clock: Pick<ClockPort, "now">;
  /** How long one operation may take, in seconds. */
  readonly limit: number;
  /** Is told. */
  readonly tell: (event: LeaseStoreEvent) => void;
}

/** How long a store is left alone after its first failure in a row, in seconds. Each further one doubles it. */
const FIRST_PAUSE = 1;

/** How long at most, in seconds. */
const LONGEST_PAUSE = 30;

/** A store that never rejects. `undefined` says that it could not be asked. */
export class GuardedStore {
  readonly #options: GuardedStoreOptions;
  #failures = 0;
  #until = 0;
  #probing = false;
  /** Grows with each failure that counts, and when the store works again. */
  #turn = 0;

  /** Guards a store. */
  constructor(options: GuardedStoreOptions) {
    this.#options = options;
  }

  /** The text under `name`; `null`: none. */
  read(name: string, signal: AbortSignal): Promise<string | null | undefined> {
    return this.#ask((within) => this.#options.store.read(name, within), signal);
  }

  /** Compares and changes. */
  change(name: string, change: LeaseChange, signal: AbortSignal): Promise<boolean | undefined> {
    return this.#ask((within) => this.#options.store.change(name, change, within), signal);
  }

  async #ask<Answer>(
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { limit: seconds } = this.#options;
    if (signal.aborted || this.#paused()) return undefined;
    const turn = this.#turn;
    const probes = this.#failures > 0;
    if (probes) this.#probing = true;
    let silent = false;
    const work = (within: AbortSignal): Promise<Answer> => {
      within.addEventListener("abort", () => silent = true, { once: true });
      return unlessAborted(async () => await ask(within), within);
    };
    try {
      const answer = await withinSeconds(work, { seconds, signal });
      if (turn === this.#turn) this.#recover();
      return answer;
    } catch (error) {
      // neither a caller that gave up nor what began before the last failure says anything new
      if (!signal.aborted && turn === this.#turn) {
        this.#fail({ reason: silent ? "silent" : "failed", cause: redactError(error) });
      }
      return undefined;
    } finally {
      if (probes) this.#probing = false;
    }
  }

  #paused(): boolean {
    if (this.#failures === 0) return false;
    if (this.#probing) return true;
    const left = this.#until - this.#options.clock.now();
    // a clock that went back must not make it longer
    return left > 0 && left <= LONGEST_PAUSE;
  }

  #fail({ reason, cause }: Pick<Extract<LeaseStoreEvent, { reason: unknown }>, "reason" | "cause">): void {
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures);
    this.#until = this.#options.clock.now() + pause;
    this.#failures += 1;
    this.#turn += 1;
    if (this.#failures === 1) this.#options.tell({ kind: "lease-store-failed", reason, cause });
  }

  #recover(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#turn += 1;
    this.#options.tell({ kind: "lease-store-recovered" });
  }
}
