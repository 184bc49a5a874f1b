/**
 * Keeps the state in step with what is stored: the marker is read before each use, and when it changed the grant is
 * read again under the lock. Everything that presents a refresh token goes through {@linkcode GrantReader.use}, which
 * holds the lock until the answer is stored.
 *
 * What a changed marker means is decided in `core/enterprise/grant/marker.ts`, what a found grant does in
 * `core/enterprise/authorization/transition.ts`.
 *
 * @module
 */

import type { AuthorizationEffect, AuthorizationEvent } from "../../core/enterprise/authorization/event.ts";
import type { AuthorizationState, HeldGrant } from "../../core/enterprise/authorization/state.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { compareMarker, type GrantMarker, type MarkerVerdict } from "../../core/enterprise/grant/marker.ts";
import { type GrantRecord, rotateGrant } from "../../core/enterprise/grant/record.ts";
import type { SignInFacts } from "../../core/enterprise/status.ts";
import type { GrantSource, LockedGrants } from "./grant_source.ts";

/** What holds the state. */
export interface StateHolder {
  /** The state now. */
  readonly state: AuthorizationState;
  /** Takes an event. */
  dispatch(event: AuthorizationEvent): readonly AuthorizationEffect[];
}

/** The grant in force while the lock is held. */
export interface OpenGrant {
  /** The grant as it is stored now. */
  readonly record: GrantRecord;
  /** Stores rotated or renewed tokens as the next revision. */
  rotate(tokens: Parameters<typeof rotateGrant>[1]): Promise<void>;
}

/** Reads the grant of one client of one identity provider. */
export class GrantReader {
  readonly #holder: StateHolder;
  readonly #source: GrantSource;
  #seen: Seen | null = null;
  #signIn: SignInFacts | null = null;

  /** Reads from `source` and reports to `holder`. */
  constructor(holder: StateHolder, source: GrantSource) {
    this.#holder = holder;
    this.#source = source;
  }

  /** What is known of the sign-in; `null`: there is none, or it was not read. Of use only while the state has a grant. */
  get signIn(): SignInFacts | null {
    return this.#signIn;
  }

  /**
   * Reads the marker, and the grant if the marker changed.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` when another sign-in is in force and cannot be read.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when there is no keyring.
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long.
   */
  async sync(signal: AbortSignal): Promise<void> {
    const marker = await this.#marker(() => this.#source.marker(signal));
    if (marker === undefined) return;
    const verdict = this.#compare(marker);
    if (verdict === "same") return;
    try {
      await this.read(signal);
    } catch (error) {
      if (!(error instanceof EnterpriseError) || verdict !== "rotated") throw error;
      // the same sign-in with renewed tokens: what is held stays good, and nothing new is to be had
    }
  }

  /**
   * Reads the grant under the lock, whatever the marker says, and reports what is there.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it cannot be read.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when there is no keyring.
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long.
   */
  async read(signal: AbortSignal): Promise<void> {
    await this.#source.locked((grants) => this.#read(grants), signal);
  }

  /**
   * Runs `work` with the grant in force, under the lock, after it was read again.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when another sign-in is in force, or none. The state knows by then.
   */
  use<Result>(work: (grant: OpenGrant) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const held = this.#holder.state.grant;
    return this.#source.locked(async (grants) => {
      let record = await this.#read(grants);
      if (held === null || record === null || record.generation !== held.generation) {
        throw new EnterpriseError("SUPERSEDED", "Cannot use the sign-in: another one is in force, or none");
      }
      return await work({
        get record() {
          return record as GrantRecord;
        },
        rotate: async (tokens) => {
          record = rotateGrant(record as GrantRecord, tokens);
          await grants.write(held.key, record).catch((error: unknown) => this.#fail(error));
          this.noteStored(held.key, record);
        },
      });
    }, signal);
  }

  /** Says that `record` was stored under `key`, with its marker. */
  noteStored(key: string, record: GrantRecord): void {
    const { generation, revision } = record;
    this.#holder.dispatch({ kind: "grant-found", grant: heldGrant(key, record) });
    this.#see({ current: key, generation, revision }, record);
  }

  async #read(grants: LockedGrants): Promise<GrantRecord | null> {
    const marker = await this.#marker(() => grants.marker());
    if (marker === undefined) throw unreadable();
    const { ownerFrom, owner } = this.#holder.state;
    const key = ownerFrom === "host" ? owner : marker?.current ?? null;
    try {
      const record = key === null ? null : await grants.read(key);
      if (key === null || record === null) this.#holder.dispatch({ kind: "grant-missing" });
      else this.#holder.dispatch({ kind: "grant-found", grant: heldGrant(key, record) });
      this.#see(marker, record);
      return record;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    if (isClosed(error)) this.#holder.dispatch({ kind: "keyring-locked" });
    throw error;
  }

  /** The marker; `undefined` when it cannot be read, which is reported. */
  async #marker(read: () => Promise<GrantMarker | null>): Promise<GrantMarker | null | undefined> {
    try {
      const marker = await read();
      if (this.#holder.state.marker === "unreadable") this.#holder.dispatch({ kind: "marker-read" });
      return marker;
    } catch (error) {
      if (!(error instanceof EnterpriseError) || error.code !== "MARKER_MALFORMED") throw error;
      this.#holder.dispatch({ kind: "marker-unreadable" });
      return undefined;
    }
  }

  #see(marker: GrantMarker | null, record: GrantRecord | null): void {
    this.#seen = { marker, owner: this.#holder.state.owner };
    this.#signIn = record === null ? null : factsOf(record);
  }

  /** What the marker means for what was read last; `"unknown"`: nothing was, or another account's. */
  #compare(marker: GrantMarker | null): MarkerVerdict | "unknown" {
    const seen = this.#seen;
    if (seen === null || seen.owner !== this.#holder.state.owner) return "unknown";
    if (seen.marker === null || marker === null) return seen.marker === marker ? "same" : "replaced";
    return compareMarker(seen.marker, marker);
  }
}

/** What was read last, and whose it was. */
interface Seen {
  readonly marker: GrantMarker | null;
  readonly owner: string | null;
}

/** The grant as the state names it. */
export function heldGrant(key: string, { generation, revision }: GrantRecord): HeldGrant {
  return { key, owner: key, generation, revision };
}

function factsOf({ refreshToken, idTokenExpiresAt }: GrantRecord): SignInFacts {
  return { hasRefreshToken: refreshToken !== null, idTokenExpiresAt };
}

/** Whether the keyring is locked, denied, silent or absent. */
export function isClosed(error: unknown): boolean {
  return error instanceof EnterpriseError &&
    (error.code === "KEYRING_LOCKED" || error.code === "KEYRING_ABSENT");
}

function unreadable(): EnterpriseError {
  return new EnterpriseError(
    "MARKER_MALFORMED",
    "Cannot read the record of the current sign-in: it is damaged",
  );
}
