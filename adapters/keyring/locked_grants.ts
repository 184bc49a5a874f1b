/**
 * The grants of one client at one identity provider while their lock is held. It decides the order in which keyring
 * and marker change, so that a crash between the two never lets an old token pass for the new one:
 *
 * - the marker changes first, always: whoever remembers an older grant reads the keyring again, under the lock;
 * - every write and every deletion reads the keyring again before, whatever is remembered;
 * - a marker that differs from its account's item was left by a crash: the item is right, the marker is mended;
 * - what the marker says is void is void, whatever the keyring holds;
 * - what another process has newer tokens of is left to that one.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import { endedMarker, type GrantMarker, isVoid } from "../../core/enterprise/grant/marker.ts";
import { type GrantRecord, writeGrant } from "../../core/enterprise/grant/record.ts";
import { never } from "../async/never.ts";
import { freshGeneration } from "../http/grants/fresh_generation.ts";
import type { EndedSignIn, LockedGrants, SignInEnding } from "../http/grants/grant_source.ts";
import { deleteStoredGrant, endStoredSignIn } from "./end_sign_in.ts";
import {
  fitRotated,
  grantEntry,
  isGrant,
  isInForce,
  isNextOf,
  type LockedGrantsOptions,
} from "./grant_item.ts";
import { markerFor, readItem, superseded } from "./grant_item.ts";
import { changeMarkerFile, findMarkerFile, readMarkerFile } from "./marker_file.ts";
import { storeSignIn, tryToStore } from "./store_sign_in.ts";

/** The grants of one client, under their lock. */
export class OpenGrants implements LockedGrants {
  readonly #at: LockedGrantsOptions;
  #open = true;

  /** Reads nothing yet. */
  constructor(options: LockedGrantsOptions) {
    this.#at = options;
  }

  /** Ends its use: the lock is let go. */
  close(): void {
    this.#open = false;
  }

  /**
   * What the marker says; `null`: nobody ever signed in.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be read.
   */
  async marker(): Promise<GrantMarker | null> {
    return (await readMarkerFile(this.#at.markerPath)).marker;
  }

  /**
   * The grant of this key; `null`: there is none, or the marker says that it is void. The keyring is read once for
   * what the marker says of this key. A rotated record that the keyring did not take before is stored now. A damaged
   * marker vouches for nothing: the keyring is read, and the marker is left for a sign-in to replace.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when the lock was let go.
   * @throws {EnterpriseError} `GRANT_MALFORMED` when the item is no grant.
   * @throws {EnterpriseError} `GRANT_VERSION_UNSUPPORTED` when a newer version wrote it.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent, or another process has newer
   * tokens.
   */
  async read(key: string): Promise<GrantRecord | null> {
    this.#checkOpen();
    const { keyring, markerPath, memory, signal } = this.#at;
    const found = await findMarkerFile(markerPath);
    if (found.marker !== null && isVoid(found.marker, key)) {
      memory.known.delete(key);
      memory.unsaved.delete(key);
      return null;
    }
    const unsaved = memory.unsaved.get(key);
    const known = memory.known.get(key);
    if (unsaved === undefined && known !== undefined && isInForce(found.marker, markerFor(key, known))) {
      return known;
    }
    const stored = await readItem(keyring, key, { signal });
    if (stored instanceof EnterpriseError) throw stored;
    memory.unsaved.delete(key);
    memory.known.delete(key);
    if (unsaved !== undefined && isNextOf(stored, unsaved)) return await this.#rotate(key, unsaved);
    if (stored === null) return null;
    await this.#at.unsaved.check(key);
    const wanted = markerFor(key, stored);
    const ours = !found.damaged && (found.marker === null || found.marker.current === key);
    if (ours && !isInForce(found.marker, wanted)) {
      // one that is made anew is like none before it
      await changeMarkerFile(markerPath, { ...found.marker ?? { change: freshGeneration() }, ...wanted });
    }
    memory.known.set(key, stored);
    return stored;
  }

  /**
   * Stores the grant and makes it the current one. A record of revision 0 is a sign-in, and replaces whatever is
   * there; when the keyring refuses it, the marker stays as it was. Any other is a rotation: it is finished whatever
   * the caller's signal says, goes without its ID token where both do not fit, and when the keyring refuses it is
   * remembered, and stored as soon as this process next has the lock and the keyring.
   *
   * @throws {EnterpriseError} `GRANT_TOO_LARGE` when it does not fit; nothing is written then.
   * @throws {EnterpriseError} `SUPERSEDED` when the grant that was rotated is no longer stored, or the lock was let go.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   * @throws {EnterpriseError} `KEYRING_UNRELIABLE` when what is read back is not what was written.
   */
  async write(key: string, record: GrantRecord): Promise<void> {
    this.#checkOpen();
    const { keyring, memory } = this.#at;
    const fitting = record.revision === 0 ? record : fitRotated(record);
    const secret = writeGrant(fitting);
    memory.known.delete(key);
    memory.unsaved.delete(key);
    if (record.revision === 0) return await storeSignIn(this.#at, key, { record, secret });
    memory.unsaved.set(key, fitting);
    const stored = await readItem(keyring, key, { signal: never() });
    if (!isGrant(stored) || stored.generation !== record.generation) {
      memory.unsaved.delete(key);
      throw superseded();
    }
    await this.#rotate(key, { ...fitting, revision: Math.max(fitting.revision, stored.revision + 1) });
  }

  /**
   * Whether a sign-in could be stored: an item under `key` is stored and deleted.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when the lock was let go, else what `write` throws of the keyring.
   */
  async tryOut(key: string): Promise<void> {
    this.#checkOpen();
    await tryToStore(this.#at, key);
  }

  /**
   * Deletes the grant; `false`: there was none. The marker says first that it is void, so that everybody notices,
   * whoever is the current account. When the keyring refuses, it stays void, and is deleted later.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when the lock was let go.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   */
  async remove(key: string): Promise<boolean> {
    this.#checkOpen();
    return await deleteStoredGrant(this.#at, key);
  }

  /**
   * Writes that nobody is signed in, under a fresh `generation`.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it can be neither written nor taken away.
   */
  async signOut(generation: string): Promise<void> {
    this.#checkOpen();
    const { marker, damaged } = await findMarkerFile(this.#at.markerPath);
    const before = damaged ? "damaged" : marker && { ...marker, current: null };
    await changeMarkerFile(this.#at.markerPath, endedMarker(before, { key: null, generation }));
  }

  /**
   * Ends a sign-in: the marker says so first, whatever the keyring says then.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when the lock was let go.
   * @throws {EnterpriseError} `MARKER_MALFORMED` when the marker can be neither written nor taken away.
   */
  async endSignIn(ending: SignInEnding): Promise<EndedSignIn> {
    this.#checkOpen();
    return await endStoredSignIn(this.#at, ending);
  }

  /** Whatever becomes of the marker: the token is stored. */
  async #rotate(key: string, record: GrantRecord): Promise<GrantRecord> {
    const { keyring, memory } = this.#at;
    memory.unsaved.set(key, record);
    const fault = await this.#markRotation(key, record).then(() => null, (error: unknown) => ({ error }));
    await keyring.write(grantEntry(key), { secret: writeGrant(record), signal: never() });
    memory.unsaved.delete(key);
    if (fault !== null) throw fault.error;
    memory.known.set(key, record);
    return record;
  }

  /** Another account's sign-in, or a sign-out, is not undone by a rotation. */
  async #markRotation(key: string, record: GrantRecord): Promise<void> {
    const { marker } = await readMarkerFile(this.#at.markerPath);
    if (marker !== null && marker.current !== key) return;
    await changeMarkerFile(this.#at.markerPath, { ...marker, ...markerFor(key, record) });
  }

  #checkOpen(): void {
    if (!this.#open) throw superseded();
  }
}
