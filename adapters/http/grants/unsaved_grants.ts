/**
 * Rotated tokens that a store of secrets did not take in time, and storing them later: whoever presents the token
 * before them spends it twice, and may end the sign-in. They are in this process alone until then.
 *
 * How long the store is tried while the lock is held is decided in `shared_grants.ts`.
 *
 * @module
 */

import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";

/** For how long they are tried to be stored without anybody asking, in seconds. After that whoever reads next does. */
const TRYING_SECONDS = 600;

/** How long whoever waits for them waits at most, in seconds. */
const IDLE_SECONDS = 10;

/** How long between two tries at first, in seconds. It doubles. */
const FIRST_PAUSE = 0.5;

/** How long between two tries at most, in seconds. */
const LONGEST_PAUSE = 30;

/** How they are stored. */
export interface UnsavedGrantsOptions {
  /** Tries to store all of them. Rejects when it does not succeed. */
  readonly save: (keys: readonly string[]) => Promise<void>;
  /** Waits between two tries. */
  readonly clock: Pick<ClockPort, "sleep">;
}

/** The tokens that are not stored yet. Holds tokens: never print it. */
export class UnsavedGrants {
  /** The records, by key. */
  readonly records: Map<string, GrantRecord> = new Map();
  readonly #options: UnsavedGrantsOptions;
  #trying: Promise<void> | null = null;

  /** Begins with none. */
  constructor(options: UnsavedGrantsOptions) {
    this.#options = options;
  }

  /** Begins to store what there is, unless that is under way. Waits for nothing. */
  saveLater(): void {
    if (this.records.size === 0) return;
    this.#trying ??= this.#try(TRYING_SECONDS).finally(() => this.#trying = null);
  }

  /** Resolves when everything is stored, or could not be for ten seconds. */
  async idle(): Promise<void> {
    await this.#try(IDLE_SECONDS);
  }

  async #try(seconds: number): Promise<void> {
    const { save, clock } = this.#options;
    let pause = FIRST_PAUSE;
    for (let waited = 0; this.records.size > 0 && waited < seconds; waited += pause) {
      if (waited > 0) pause = Math.min(pause * 2, LONGEST_PAUSE);
      if (!await clock.sleep(pause)) return;
      // what fails is tried again
      if (this.records.size > 0) await save([...this.records.keys()]).catch(() => undefined);
    }
  }
}
