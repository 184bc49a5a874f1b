/**
 * The grants in a secret store while their lock is held. It decides the order in which marker and grant change, so that
 * what is ended is void before it is deleted, and a token that was rotated is stored before anything else:
 *
 * - the end of a sign-in changes the marker first: what it names is void for everyone, whatever is still stored;
 * - a sign-in and a rotation change the grant first: a marker that lags behind is mended by whoever reads next;
 * - a rotated token is tried to be stored until it is, as long as the caller has time: the one before it is spent;
 * - what the marker says is void is void, and deleted by the next sign-in or sign-out that can.
 *
 * What the marker says is decided in `core/enterprise/grant/marker.ts`; reading and writing is in `stored_grants.ts`,
 * what becomes of tokens that the store did not take in time in `unsaved_grants.ts`.
 *
 * @module
 */

import {
  deletedMarker,
  endedMarker,
  type GrantMarker,
  isVoid,
  type MarkerBefore,
  signedInMarker,
  withVoided,
} from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, writeGrant } from "../../../core/enterprise/grant/record.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import { never } from "../../async/never.ts";
import { freshGeneration } from "./fresh_generation.ts";
import type { EndedSignIn, LockedGrants, SignInEnding } from "./grant_source.ts";
import { overtaken, type StoredGrants } from "./stored_grants.ts";

/** How long a rotated token is tried to be stored before the lock is given back, in seconds. */
const SAVE_SECONDS = 20;

/** How long between two tries at first, in seconds. It doubles. */
const FIRST_PAUSE = 0.1;

/** How long between two tries at most, in seconds. */
const LONGEST_PAUSE = 1;

/** What works on the grants. */
export interface SharedGrantsOptions {
  /** What is stored. */
  readonly stored: StoredGrants;
  /** Rotated grants that the store did not take yet, by key. Outlives the lock. */
  readonly unsaved: Map<string, GrantRecord>;
  /** Aborted when the lock is lost or given back. */
  readonly held: AbortSignal;
  /** Waits between two tries. */
  readonly clock: Pick<ClockPort, "sleep">;
  /** Ends reading, and the waiting between two tries. */
  readonly signal: AbortSignal;
}

/** The grants, under their lock. */
export class SharedGrants implements LockedGrants {
  readonly #stored: StoredGrants;
  readonly #at: SharedGrantsOptions;

  /** Reads nothing yet. */
  constructor(options: SharedGrantsOptions) {
    this.#stored = options.stored;
    this.#at = options;
  }

  /** What the marker says; `null`: nobody ever signed in. */
  async marker(): Promise<GrantMarker | null> {
    return await this.#stored.marker(this.#at.signal);
  }

  /** The grant; `null`: there is none, or it is void. A rotated one that was not stored before is stored now. */
  async read(key: string): Promise<GrantRecord | null> {
    const { unsaved, signal } = this.#at;
    const before = await this.#stored.markerBefore(signal);
    const gone = before !== null && before !== "damaged" && isVoid(before, key);
    const stored = gone ? null : await this.#stored.read(key, signal);
    if (stored === null) unsaved.delete(key);
    // a damaged marker vouches for nothing, and is left for a sign-in to replace
    if (stored === null || before === "damaged") return stored;
    const kept = unsaved.get(key);
    const newer = kept?.generation === stored.generation && kept.revision > stored.revision;
    const record = newer ? kept : stored;
    if (newer) await this.#stored.write(key, kept);
    unsaved.delete(key);
    await this.#mend(before, key, record);
    return record;
  }

  /** Stores a sign-in and makes it the current one; a rotation does not undo what somebody else did meanwhile. */
  async write(key: string, record: GrantRecord): Promise<void> {
    writeGrant(record);
    if (record.revision > 0) return await this.#rotate(key, record);
    // what is compared with is from before the last look at the marker and at the lock
    await this.#stored.has(key, this.#at.signal);
    this.#checkHeld();
    const before = await this.#stored.markerAsSeen(this.#at.signal);
    this.#checkHeld();
    this.#at.unsaved.delete(key);
    await this.#stored.write(key, record);
    const voided = before === null || before === "damaged" ? [] : before.voided ?? [];
    const { left } = await this.#stored.deleteAll(voided.filter((one) => one !== key));
    await this.#stored.writeMarker(signedInMarker(before, { key, signedIn: record, left }));
  }

  /** Deletes the grant; `false`: there was none. */
  async remove(key: string): Promise<boolean> {
    this.#checkHeld();
    const marker = await this.marker();
    this.#at.unsaved.delete(key);
    if (!await this.#stored.has(key, this.#at.signal)) return false;
    const change = freshGeneration();
    const deleting = marker && deletedMarker(marker, { key, change });
    if (deleting !== null) await this.#stored.writeMarker(deleting);
    await this.#stored.delete(key);
    if (deleting !== null) await this.#stored.writeMarker(withVoided(deleting, marker?.voided));
    return true;
  }

  /** Writes that nobody is signed in. */
  async signOut(generation: string): Promise<void> {
    this.#checkHeld();
    const before = await this.#stored.markerBefore(this.#at.signal);
    const nobody = before === null || before === "damaged" ? before : { ...before, current: null };
    await this.#stored.writeMarker(endedMarker(nobody, { key: null, generation }));
  }

  /** Ends the sign-in of an account: the marker first. */
  async endSignIn({ key: wanted, generation }: SignInEnding): Promise<EndedSignIn> {
    this.#checkHeld();
    const before = await this.#stored.markerBefore(this.#at.signal);
    const key = wanted ?? (before === "damaged" ? null : before?.current ?? null);
    const marker = endedMarker(before, { key, generation });
    const { voided = [] } = marker;
    for (const one of voided) this.#at.unsaved.delete(one);
    await this.#stored.writeMarker(marker);
    const { left, ...done } = await this.#stored.deleteAll(voided);
    if (left.length < voided.length) await this.#stored.writeMarker(withVoided(marker, left));
    return { key, ...done };
  }

  /**
   * The token is stored whatever becomes of the lock, the marker and whoever waits, unless another sign-in or newer
   * tokens are stored. What the store does not take is tried again while the lock is held.
   */
  async #rotate(key: string, record: GrantRecord): Promise<void> {
    const { unsaved, clock, signal } = this.#at;
    unsaved.set(key, record);
    let pause = FIRST_PAUSE;
    for (let waited = 0;; waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        return await this.#save(key, record);
      } catch (error) {
        const over = !unsaved.has(key) || waited >= SAVE_SECONDS;
        if (over || !await clock.sleep(pause, signal)) throw error;
      }
    }
  }

  /** Stores rotated tokens, unless they are there or out of date; then the marker. */
  async #save(key: string, record: GrantRecord): Promise<void> {
    const { unsaved } = this.#at;
    const stored = await this.#stored.read(key, never());
    const done = stored !== null && writeGrant(stored) === writeGrant(record);
    if (!done && (stored?.generation !== record.generation || stored.revision >= record.revision)) {
      unsaved.delete(key);
      throw overtaken();
    }
    if (!done) await this.#stored.write(key, record);
    await this.#mend(await this.#stored.markerBefore(never()), key, record);
    unsaved.delete(key);
  }

  /** The marker names what is stored, if it is this account's. */
  async #mend(before: MarkerBefore, key: string, { generation, revision }: GrantRecord): Promise<void> {
    if (before === "damaged" || before !== null && before.current !== key) return;
    if (before?.generation === generation && before.revision === revision) return;
    await this.#stored.writeMarker({ ...before, current: key, generation, revision });
  }

  #checkHeld(): void {
    if (this.#at.held.aborted) throw overtaken();
  }
}
