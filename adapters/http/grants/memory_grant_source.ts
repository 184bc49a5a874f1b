/**
 * Grants in the memory of this process: gone when it ends. For programs that keep nothing, and for the edge, where
 * there is no keyring. Nothing falls back to it: a program names it.
 *
 * What it implements is decided in `grant_source.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { endedMarker, type GrantMarker } from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, readGrant, writeGrant } from "../../../core/enterprise/grant/record.ts";
import { SerialQueue } from "../../async/serial_queue.ts";
import { freshGeneration } from "./fresh_generation.ts";
import type { EndedSignIn, GrantSource, LockedGrants, SignInEnding } from "./grant_source.ts";

/** The grants of one client of one identity provider, in memory. */
export class MemoryGrantSource implements GrantSource {
  /** It is ours. */
  readonly owned = true;
  readonly #items = new Map<string, string>();
  readonly #queue = new SerialQueue();
  #marker: GrantMarker | null = null;

  /** What the marker says. */
  marker(): Promise<GrantMarker | null> {
    return Promise.resolve(this.#marker);
  }

  /**
   * Runs `work` alone.
   *
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when `signal` is aborted before its turn.
   */
  locked<Result>(work: (grants: LockedGrants) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#queue.take(() => {
      if (!signal.aborted) return work(this.#grants());
      throw new EnterpriseError(
        "LOCK_TIMEOUT",
        "Cannot wait for the lock of the sign-in: the caller gave up",
      );
    });
  }

  #grants(): LockedGrants {
    return {
      marker: () => this.marker(),
      read: (key) => {
        const text = this.#items.get(key);
        return Promise.resolve(text === undefined ? null : readGrant(text));
      },
      // an async function, so that a grant that is too large rejects and does not throw
      write: async (key, record) => await Promise.resolve(this.#write(key, record)),
      remove: (key) => Promise.resolve(this.#remove(key)),
      signOut: (generation) => {
        this.#marker = { current: null, generation, revision: 0 };
        return Promise.resolve();
      },
      endSignIn: async (ending) => await Promise.resolve(this.#endSignIn(ending)),
    };
  }

  #write(key: string, record: GrantRecord): void {
    this.#items.set(key, writeGrant(record));
    const { generation, revision } = record;
    // another account's sign-in, or a sign-out, is not undone by a rotation
    if (revision > 0 && this.#marker !== null && this.#marker.current !== key) return;
    const before = revision > 0 ? this.#marker : null;
    this.#marker = { ...before, current: key, generation, revision };
  }

  #remove(key: string): boolean {
    const change = freshGeneration();
    if (this.#marker !== null && this.#items.has(key)) this.#marker = { ...this.#marker, change };
    return this.#items.delete(key);
  }

  #endSignIn({ key: wanted, generation }: SignInEnding): EndedSignIn {
    const key = wanted ?? this.#marker?.current ?? null;
    const { voided: _, ...marker } = endedMarker(this.#marker, { key, generation });
    this.#marker = marker;
    const text = key === null ? undefined : this.#items.get(key);
    const deleted = key !== null && this.#items.delete(key);
    return { key, records: text === undefined ? [] : [readGrant(text)], deleted, fault: null };
  }
}
