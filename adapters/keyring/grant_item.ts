/**
 * A grant as an item of the keyring: its name there, how it is read, what of it is given up when a rotation would not
 * fit, and how it compares with the marker and with another revision.
 *
 * What a record and a marker hold is decided in `core/enterprise/grant`, when an item is read and written in
 * `locked_grants.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import type { GrantMarker } from "../../core/enterprise/grant/marker.ts";
import { type GrantRecord, readGrant, writeGrant } from "../../core/enterprise/grant/record.ts";
import type { KeyringEntry, KeyringPort } from "../../core/ports/keyring.ts";
import type { UnsavedTokens } from "./unsaved_tokens.ts";

/** Name of the service under which every grant is kept. */
export const GRANT_SERVICE = "codex-mcp";

/** What an item turned out to be: a grant, nothing, or something that is no grant, told by its error. */
export type StoredGrant = GrantRecord | EnterpriseError | null;

/** What a store remembers between locks, by key of the grant. Holds tokens. */
export interface GrantMemory {
  /** The records that were read or written last. One counts while the marker names exactly it. */
  readonly known: Map<string, GrantRecord>;
  /** Rotated records that the keyring did not take. */
  readonly unsaved: Map<string, GrantRecord>;
}

/** What locked grants are made of: the keyring, the path of the marker, what is remembered. */
export interface LockedGrantsOptions {
  /** The keyring. */
  readonly keyring: KeyringPort;
  /** Path of the marker. */
  readonly markerPath: string;
  /** What is remembered between locks. */
  readonly memory: GrantMemory;
  /** Which grants another process has newer tokens of. */
  readonly unsaved: Pick<UnsavedTokens, "check">;
  /** Ends reading, signing in and signing out. A rotation is not ended by it. */
  readonly signal: AbortSignal;
}

/** Name of the item of the grant with this key. */
export function grantEntry(key: string): KeyringEntry {
  return { service: GRANT_SERVICE, account: key };
}

/**
 * Reads the item of the grant with this key.
 *
 * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
 */
export async function readItem(
  keyring: KeyringPort,
  key: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<StoredGrant> {
  const text = await keyring.read(grantEntry(key), signal);
  if (text === null) return null;
  try {
    return readGrant(text);
  } catch (error) {
    if (error instanceof EnterpriseError) return error;
    throw error;
  }
}

/** Whether an item is a grant. */
export function isGrant(stored: StoredGrant): stored is GrantRecord {
  return stored !== null && !(stored instanceof EnterpriseError);
}

/**
 * A rotated record as it fits into an item: without its ID token where that makes it too large, because the refresh
 * token is all that the next renewal needs, and the one before it is spent.
 *
 * @throws {EnterpriseError} `GRANT_TOO_LARGE` when it does not fit so either.
 */
export function fitRotated(record: GrantRecord): GrantRecord {
  try {
    writeGrant(record);
    return record;
  } catch (error) {
    if (record.refreshToken === null || record.idToken === null) throw error;
    const smaller = { ...record, idToken: null, idTokenExpiresAt: null };
    writeGrant(smaller);
    return smaller;
  }
}

/** The marker that says that `record` is in force, under `key`. */
export function markerFor(key: string, { generation, revision }: GrantRecord): GrantMarker {
  return { current: key, generation, revision };
}

/** Whether `marker` says that exactly `wanted` is in force. */
export function isInForce(marker: GrantMarker | null, wanted: GrantMarker): boolean {
  return marker !== null && marker.current === wanted.current && marker.generation === wanted.generation &&
    marker.revision === wanted.revision;
}

/** Whether `later` is the revision that comes right after what is stored. */
export function isNextOf(stored: StoredGrant, later: GrantRecord): boolean {
  return isGrant(stored) && stored.generation === later.generation && stored.revision + 1 === later.revision;
}

/** The error for a change that comes too late. */
export function superseded(): EnterpriseError {
  return new EnterpriseError("SUPERSEDED", "Cannot change the stored sign-in: another one took its place");
}
