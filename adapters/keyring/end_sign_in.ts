/**
 * Ends a sign-in under its lock: the marker first, whatever the keyring says, so that the grant is void for everyone
 * from then on; the item after it. An item that the keyring does not delete stays listed in the marker, and the next
 * sign-out or sign-in that can deletes it.
 *
 * What the marker says then is decided in `core/enterprise/grant/marker.ts`; the order of all other changes in
 * `locked_grants.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import { endedMarker, withVoided, writeMarker } from "../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../core/enterprise/grant/record.ts";
import type { EndedSignIn, SignInEnding } from "../http/grant_source.ts";
import { grantEntry, isGrant, type LockedGrantsOptions, readItem } from "./grant_item.ts";
import { changeMarkerFile, findMarkerFile, writeMarkerFile } from "./marker_file.ts";

/**
 * Ends the sign-in of `key`, and deletes what sign-outs before it left. A token that this process remembers is given
 * where the keyring does not give it.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when the marker can be neither written nor taken away.
 */
export async function endStoredSignIn(
  at: LockedGrantsOptions,
  { key: wanted, generation }: SignInEnding,
): Promise<EndedSignIn> {
  const { markerPath, memory } = at;
  const { marker: before } = await findMarkerFile(markerPath);
  const key = wanted ?? before?.current ?? null;
  const marker = endedMarker(before, { key, generation });
  await changeMarkerFile(markerPath, writeMarker(marker));
  const remembered = key === null ? undefined : memory.unsaved.get(key) ?? memory.known.get(key);
  const { read, deleted, left, fault } = await deleteItems(at, marker.voided ?? []);
  if (left.length < (marker.voided ?? []).length) {
    // a list that cannot be shortened names items that are gone, which harms nobody
    await writeMarkerFile(markerPath, writeMarker(withVoided(marker, left))).catch(() => undefined);
  }
  const own = key !== null && left.includes(key) && !read.has(key) ? remembered : undefined;
  return { key, records: [...own === undefined ? [] : [own], ...read.values()], deleted, fault };
}

/** What became of items that were to be deleted. */
export interface DeletedItems {
  /** The grants that could be read, by key. */
  readonly read: ReadonlyMap<string, GrantRecord>;
  /** Whether there was one, and it is gone. */
  readonly deleted: boolean;
  /** The keys whose items may still be there. */
  readonly left: readonly string[];
  /** Why; `null`: none is left. */
  readonly fault: EnterpriseError | null;
}

/** Deletes the items of these keys, each after it was read. A keyring that refuses one is not asked for the next. */
export async function deleteItems(
  { keyring, memory, signal }: LockedGrantsOptions,
  keys: readonly string[],
): Promise<DeletedItems> {
  const read = new Map<string, GrantRecord>();
  let deleted = false;
  for (const [index, key] of keys.entries()) {
    memory.known.delete(key);
    memory.unsaved.delete(key);
    try {
      const stored = await readItem(keyring, key, { signal });
      if (isGrant(stored)) read.set(key, stored);
      if (stored !== null) deleted = await keyring.delete(grantEntry(key), signal) || deleted;
    } catch (error) {
      if (!(error instanceof EnterpriseError)) throw error;
      return { read, deleted, left: keys.slice(index), fault: error };
    }
  }
  return { read, deleted, left: [], fault: null };
}
