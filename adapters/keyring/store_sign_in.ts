/**
 * Stores a sign-in under its lock: the marker first, then the item. When the keyring refuses the item, the marker says
 * again what it said. What sign-outs before could not delete is deleted now, a void item of the same account before
 * anything else: a crash in between must not let it pass for the new one. A marker that was damaged may have voided
 * anything: of the items that are there, only the new one counts from then on.
 *
 * The order of all other changes is decided in `locked_grants.ts`.
 *
 * @module
 */

import { endedMarker, isVoid, signedInMarker, writeMarker } from "../../core/enterprise/grant/marker.ts";
import type { GrantRecord } from "../../core/enterprise/grant/record.ts";
import { deleteItems } from "./end_sign_in.ts";
import { grantEntry, type LockedGrantsOptions, readItem } from "./grant_item.ts";
import { changeMarkerFile, findMarkerFile, removeMarkerFile, writeMarkerFile } from "./marker_file.ts";

/** What is stored. */
export interface StoredSignIn {
  /** The record. */
  readonly record: GrantRecord;
  /** The same, written. */
  readonly secret: string;
}

/**
 * Stores an item under `key` that is no grant, and deletes it. A locked Secret Service says that an item which it does
 * not have is not there: only a write tells that it is locked.
 *
 * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
 * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
 */
export async function tryToStore(
  { keyring, signal }: Pick<LockedGrantsOptions, "keyring" | "signal">,
  key: string,
): Promise<void> {
  await keyring.write(grantEntry(key), { secret: "{}", signal });
  await keyring.delete(grantEntry(key), signal);
}

/**
 * Stores `record` under `key`, and makes it the sign-in that is in force.
 *
 * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
 * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
 * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
 */
export async function storeSignIn(
  at: LockedGrantsOptions,
  key: string,
  { record, secret }: StoredSignIn,
): Promise<void> {
  const { keyring, markerPath, memory, signal } = at;
  await readItem(keyring, key, { signal }); // a keyring that cannot be read is not to be written either
  const { marker, damaged } = await findMarkerFile(markerPath);
  const before = damaged ? "damaged" : marker;
  const own = await deleteItems(at, damaged || marker !== null && isVoid(marker, key) ? [key] : []);
  if (own.fault !== null) throw own.fault;
  const { left } = await deleteItems(at, (marker?.voided ?? []).filter((one) => one !== key));
  await writeMarkerFile(markerPath, writeMarker(signedInMarker(before, { key, signedIn: record, left })));
  try {
    await keyring.write(grantEntry(key), { secret, signal });
  } catch (error) {
    if (before === null) await removeMarkerFile(markerPath);
    else if (before !== "damaged") await changeMarkerFile(markerPath, before);
    else {await changeMarkerFile(
        markerPath,
        endedMarker(before, { key: null, generation: record.generation }),
      );}
    throw error;
  }
  memory.known.set(key, record);
}
