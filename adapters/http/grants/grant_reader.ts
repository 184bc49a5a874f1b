/**
 * Keeps the state in step with what is stored: the marker is read before each use, and when it changed the grant is
 * read again under the lock. Everything that presents a refresh token goes through {@linkcode GrantReader.use}, which
 * holds the lock until the answer is stored. What was read before something was revoked is not used: it is read again.
 *
 * What a changed marker means is decided in `core/enterprise/grant/marker.ts`, what a found grant does in
 * `core/enterprise/authorization/transition.ts`.
 *
 * @module
 */

import type { AuthorizationEffect } from "../../../core/enterprise/authorization/event.ts";
import type { AuthorizationEvent } from "../../../core/enterprise/authorization/event.ts";
import type { AuthorizationState } from "../../../core/enterprise/authorization/state.ts";
import { type CommitTag, isCurrent, tagOf } from "../../../core/enterprise/authorization/tag.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { type GrantMarker, isVoid } from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, rotateGrant } from "../../../core/enterprise/grant/record.ts";
import type { SignInFacts } from "../../../core/enterprise/status/status.ts";
import { closedKeyring, type GrantSource, type LockedGrants } from "./grant_source.ts";
import { heldGrant, keyInForce, SeenGrant } from "./seen_grant.ts";

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
  readonly #seen = new SeenGrant();

  /** Reads from `source` and reports to `holder`. */
  constructor(holder: StateHolder, source: GrantSource) {
    this.#holder = holder;
    this.#source = source;
  }

  /**
   * What is known of the sign-in; `null`: there is none, or it was not read. Of use only while the state has a grant.
   */
  get signIn(): SignInFacts | null {
    return this.#seen.signIn;
  }

  /**
   * Reads the marker, and the grant if the marker changed. That nobody is signed in, or that the grant is void, the
   * marker says alone: that needs no lock and no keyring.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` when another sign-in is in force and cannot be read.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when there is no keyring.
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long.
   */
  async sync(signal: AbortSignal): Promise<void> {
    const marker = await this.#marker(() => this.#source.marker(signal));
    if (marker === undefined) return;
    const { state } = this.#holder;
    const verdict = this.#seen.compare(marker, state);
    if (verdict === "same") return;
    const { grant } = state;
    const key = keyInForce(state, marker);
    const isGone = (one: string): boolean => marker !== null && isVoid(marker, one);
    const gone = key === null || isGone(key);
    if (gone || grant !== null && isGone(grant.key)) {
      this.#holder.dispatch({ kind: "grant-missing", tag: tagOf(state, null) });
      if (gone) return this.#see(marker, null);
    }
    const named = grant !== null && marker?.current === grant.key && marker.generation === grant.generation;
    try {
      await this.read(signal);
    } catch (error) {
      if (!(error instanceof EnterpriseError) || verdict !== "rotated" && !named) throw error;
      // the sign-in that is held is in force: it stays good, and nothing new is to be had
    }
  }

  /**
   * Reads the grant under the lock, whatever the marker says, and reports what is there.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED`, `KEYRING_ABSENT` or `LOCK_TIMEOUT` as {@linkcode GrantReader.sync}
   * says.
   * @throws {EnterpriseError} `SUPERSEDED` when it changed again and again.
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
      if (held === null || record === null || record.generation !== held.generation) throw another();
      const tag = tagOf(this.#holder.state, null);
      return await work({
        get record() {
          return record as GrantRecord;
        },
        rotate: async (tokens) => {
          record = rotateGrant(record as GrantRecord, tokens);
          await grants.write(held.key, record).catch((error: unknown) => this.#fail(error));
          await this.noteStored(grants, { key: held.key, record, tag });
        },
      });
    }, signal);
  }

  /** The next look reads again: it is not known what is stored. */
  protected doubt(): void {
    this.#seen.forget();
  }

  /** Says that a record was stored, which was due under `tag`. */
  async noteStored(grants: Pick<LockedGrants, "marker">, { key, record, tag }: StoredGrant): Promise<void> {
    const marker = await this.#marker(() => grants.marker());
    const current = isCurrent(this.#holder.state, { tag, server: null });
    this.#holder.dispatch({ kind: "grant-found", tag, grant: heldGrant(key, record) });
    if (current && marker !== undefined) this.#see(marker, record);
  }

  /** The grant that is stored now, and in force; `null`: none is. */
  async #read(grants: LockedGrants): Promise<GrantRecord | null> {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const tag = tagOf(this.#holder.state, null);
      const marker = await this.#marker(() => grants.marker());
      if (marker === undefined) throw new EnterpriseError("MARKER_MALFORMED", UNREADABLE);
      const key = keyInForce(this.#holder.state, marker);
      const record = key === null
        ? null
        : await grants.read(key).catch((error: unknown) => this.#fail(error));
      const current = isCurrent(this.#holder.state, { tag, server: null });
      const grant = key === null || record === null ? null : heldGrant(key, record);
      const effects = this.#holder.dispatch(
        grant === null ? { kind: "grant-missing", tag } : { kind: "grant-found", tag, grant },
      );
      if (!current) continue;
      const taken = effects.some(({ kind }) => kind === "discard") ? null : record;
      this.#see(marker, taken);
      return taken;
    }
    throw another();
  }

  #fail(error: unknown): never {
    const keyring = closedKeyring(error);
    if (keyring !== null) this.#holder.dispatch({ kind: "keyring-closed", keyring });
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
    this.#seen.see(marker, { record, owner: this.#holder.state.owner });
  }
}

const UNREADABLE = "Cannot read the record of the current sign-in: it is damaged";

/** A record that was stored. */
export interface StoredGrant {
  /** Its key. */
  readonly key: string;
  /** The record. */
  readonly record: GrantRecord;
  /** Under what it was due. */
  readonly tag: CommitTag;
}

function another(): EnterpriseError {
  return new EnterpriseError("SUPERSEDED", "Cannot use the sign-in: another one is in force, or none");
}
