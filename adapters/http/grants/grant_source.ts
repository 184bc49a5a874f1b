/**
 * Where the sign-in of one client at one identity provider is kept, as the exchange of tokens sees it: a marker that
 * is read before each use, and the grants themselves, which are read and written under one lock only.
 *
 * The keyring's implementation is in `adapters/keyring/`, one in memory in `memory_grant_source.ts`, the one of a
 * program that brings its own identity in `program_grant_source.ts`, and the one for several machines, over an
 * operator's store of secrets, in `shared_grant_source.ts`. What marker and grant hold is decided in
 * `core/enterprise/grant/`.
 *
 * @module
 */

import type { KeyringState } from "../../../core/enterprise/authorization/state.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { GrantMarker } from "../../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";

/** The grants of one client of one identity provider. */
export interface GrantSource {
  /** Whether what it keeps is ours to delete and to revoke. `false`: it is the embedding program's. */
  readonly owned: boolean;
  /**
   * What the marker says now; `null`: nobody ever signed in. Reads no secret and waits for no lock.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be read.
   */
  marker(signal: AbortSignal): Promise<GrantMarker | null>;
  /**
   * Runs `work` alone, in this process and in all others. The lock is given back when `work` has ended.
   *
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long.
   */
  locked<Result>(work: (grants: LockedGrants) => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Resolves when nothing is left to be stored, or it could not be for a while. Absent: nothing ever is. */
  idle?(): Promise<void>;
}

/** The grants while the lock is held. Of no use afterwards. */
export interface LockedGrants {
  /**
   * What the marker says; `null`: nobody ever signed in.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be read.
   */
  marker(): Promise<GrantMarker | null>;
  /**
   * The grant of this key; `null`: there is none.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   */
  read(key: string): Promise<GrantRecord | null>;
  /**
   * Stores an item under `key` that is no grant, and deletes it: whether a sign-in could be stored. `key` is one under
   * which nothing is kept. Absent: what is kept here can always be stored.
   *
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
   */
  tryOut?(key: string): Promise<void>;
  /**
   * Stores the grant and makes it the current one.
   *
   * @throws {EnterpriseError} `GRANT_TOO_LARGE` when it does not fit; nothing is written then.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
   */
  write(key: string, record: GrantRecord): Promise<void>;
  /**
   * Deletes the grant; `false`: there was none. The marker keeps its account, and says to everyone that something was
   * deleted. What a keyring does not delete now is void all the same.
   */
  remove(key: string): Promise<boolean>;
  /** Writes that nobody is signed in, under a fresh `generation`. */
  signOut(generation: string): Promise<void>;
  /**
   * Ends the sign-in of an account: writes first that it is void, then deletes its grant. What the keyring does not
   * delete now is void all the same, and is deleted by the next sign-in or sign-out that can. A marker that cannot be
   * read is replaced by one under which nothing counts that is stored now.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when the marker can be neither written nor taken away.
   */
  endSignIn(ending: SignInEnding): Promise<EndedSignIn>;
}

/** Which sign-in is ended. */
export interface SignInEnding {
  /** Key of its grant; `null`: the one that the marker names. Another account's stays in force. */
  readonly key: string | null;
  /** A fresh generation. */
  readonly generation: string;
}

/** What became of a sign-in that was ended. Holds tokens, to be revoked: never print it. */
export interface EndedSignIn {
  /** Key of its grant; `null`: nobody was signed in. */
  readonly key: string | null;
  /** The grants that were found: its own, and those that a sign-out before could not delete. */
  readonly records: readonly GrantRecord[];
  /** Whether an item was deleted. */
  readonly deleted: boolean;
  /** Why an item could not be deleted, or that nobody knows which one it is; `null`: none is left. */
  readonly fault: EnterpriseError | null;
}

/** What an error says of the keyring; `null`: nothing. */
export function closedKeyring(error: unknown): Exclude<KeyringState, "open"> | null {
  if (!(error instanceof EnterpriseError)) return null;
  if (error.code === "KEYRING_ABSENT") return "absent";
  return error.code === "KEYRING_LOCKED" ? "locked" : null;
}
