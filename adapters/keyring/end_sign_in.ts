/**
 * Ends a sign-in under its lock: the marker first, whatever the keyring says, so that the grant is void for everyone
 * from then on; the item after it. An item that the keyring does not delete stays listed in the marker, and the next
 * sign-out or sign-in that can deletes it. Where the marker was damaged, nobody knows whose item is to be deleted:
 * every item is void then, and that one may be left is said.
 *
 * What the marker says then is decided in `core/enterprise/grant/marker.ts`; the order of all other changes in
 * `locked_grants.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import { deletedMarker, endedMarker, withVoided, writeMarker } from "../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../core/enterprise/grant/record.ts";
import { freshGeneration } from "../http/grants/fresh_generation.ts";
import type { EndedSignIn, SignInEnding } from "../http/grants/grant_source.ts";
import { grantEntry, type GrantMemory, isGrant, type LockedGrantsOptions, readItem } from "./grant_item.ts";
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
  const { marker: before, damaged } = await findMarkerFile(markerPath);
  const key = wanted ?? (damaged ? lastOf(memory) : before?.current) ?? null;
  const marker = endedMarker(damaged ? "damaged" : before, { key, generation });
  await changeMarkerFile(markerPath, marker);
  const remembered = key === null ? undefined : memory.unsaved.get(key) ?? memory.known.get(key);
  const { read, deleted, left, fault } = await deleteItems(at, marker.voided ?? []);
  if (left.length < (marker.voided ?? []).length) {
    // a list that cannot be shortened names items that are gone, which harms nobody
    await writeMarkerFile(markerPath, writeMarker(withVoided(marker, left))).catch(() => undefined);
  }
  const own = key !== null && left.includes(key) && !read.has(key) ? remembered : undefined;
  const records = [...own === undefined ? [] : [own], ...read.values()];
  return { key, records, deleted, fault: fault ?? (damaged && key === null ? notFound() : null) };
}

/** Key of the grant that this process read or wrote last; `undefined`: none. */
function lastOf({ known, unsaved }: GrantMemory): string | undefined {
  return [...known.keys(), ...unsaved.keys()].at(-1);
}

function notFound(): EnterpriseError {
  return new EnterpriseError(
    "MARKER_MALFORMED",
    "Cannot find the sign-in in the keyring: the record of the current one was damaged. If there is one, it is void. " +
      "To have it deleted, sign in and out again, or delete the items of codex-mcp in the keyring.",
    { reason: "damaged" },
  );
}

/**
 * Deletes the grant of `key`; `false`: there was none. The marker says first that it is void; when the keyring refuses,
 * it stays so.
 *
 * @throws {EnterpriseError} `KEYRING_LOCKED` or `KEYRING_ABSENT` when the keyring refuses.
 * @throws {EnterpriseError} `MARKER_MALFORMED` when the marker can be neither written nor taken away.
 */
export async function deleteStoredGrant(at: LockedGrantsOptions, key: string): Promise<boolean> {
  const { keyring, markerPath, memory, signal } = at;
  const { marker } = await findMarkerFile(markerPath);
  const stored = await readItem(keyring, key, { signal });
  memory.known.delete(key);
  memory.unsaved.delete(key);
  if (stored === null) return false;
  const deleting = marker && deletedMarker(marker, { key, change: freshGeneration() });
  if (deleting !== null) await changeMarkerFile(markerPath, deleting);
  const deleted = await keyring.delete(grantEntry(key), signal);
  // a list that cannot be shortened names an item that is gone, which harms nobody
  const after = deleting && withVoided(deleting, marker?.voided);
  if (after !== null) await writeMarkerFile(markerPath, writeMarker(after)).catch(() => undefined);
  return deleted;
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
