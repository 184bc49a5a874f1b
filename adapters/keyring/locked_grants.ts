/**
 * The grants of one client at one identity provider while their lock is held. It decides the order in which keyring
 * and marker change, so that a crash between the two never lets an old token pass for the new one:
 *
 * - the marker changes first, always: whoever remembers an older grant reads the keyring again, under the lock;
 * - every write and every deletion reads the keyring again before, whatever is remembered;
 * - a marker that differs from its account's item was left by a crash: the item is right, the marker is mended.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import { type GrantMarker, writeMarker } from "../../core/enterprise/grant/marker.ts";
import { type GrantRecord, writeGrant } from "../../core/enterprise/grant/record.ts";
import type { KeyringPort } from "../../core/ports/keyring.ts";
import type { LockedGrants } from "../http/grant_source.ts";
import { fitRotated, grantEntry, type GrantMemory, isGrant, isInForce, isNextOf } from "./grant_item.ts";
import { markerFor, readItem, superseded } from "./grant_item.ts";
import { changeMarkerFile, readMarkerFile, removeMarkerFile, writeMarkerFile } from "./marker_file.ts";

/** What locked grants are made of: the keyring, the path of the marker, what is remembered. */
export interface LockedGrantsOptions {
  readonly keyring: KeyringPort;
  readonly markerPath: string;
  readonly memory: GrantMemory;
  /** Ends reading, signing in and signing out. A rotation is not ended by it. */
  readonly signal: AbortSignal;
}

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
   * The grant of this key; `null`: there is none. The keyring is read once for what the marker says of this key. A
   * rotated record that the keyring did not take before is stored now. A damaged marker vouches for nothing: the
   * keyring is read, and the marker is left for a sign-in to replace.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when the lock was let go.
   * @throws {EnterpriseError} `GRANT_MALFORMED` when the item is no grant.
   * @throws {EnterpriseError} `GRANT_VERSION_UNSUPPORTED` when a newer version wrote it.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   */
  async read(key: string): Promise<GrantRecord | null> {
    this.#checkOpen();
    const { keyring, markerPath, memory, signal } = this.#at;
    const found = await this.#findMarker();
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
    const wanted = markerFor(key, stored);
    const ours = !found.damaged && (found.marker === null || found.marker.current === key);
    if (ours && !isInForce(found.marker, wanted)) await changeMarkerFile(markerPath, writeMarker(wanted));
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
    if (record.revision === 0) return await this.#signIn(key, { record, secret });
    memory.unsaved.set(key, fitting);
    const stored = await readItem(keyring, key, { signal: never() });
    if (!isGrant(stored) || stored.generation !== record.generation) {
      memory.unsaved.delete(key);
      throw superseded();
    }
    await this.#rotate(key, { ...fitting, revision: Math.max(fitting.revision, stored.revision + 1) });
  }

  /**
   * Deletes the grant; `false`: there was none. The marker keeps its account and generation, and gets a revision that
   * makes others look.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when the lock was let go.
   * @throws {EnterpriseError} `KEYRING_ABSENT` when the system has no keyring that can be used.
   * @throws {EnterpriseError} `KEYRING_LOCKED` when it is locked, denied or silent.
   */
  async remove(key: string): Promise<boolean> {
    this.#checkOpen();
    const { keyring, markerPath, memory, signal } = this.#at;
    const { marker } = await this.#findMarker();
    const stored = await readItem(keyring, key, { signal });
    memory.known.delete(key);
    memory.unsaved.delete(key);
    if (stored === null) return false;
    if (marker?.current === key) {
      await changeMarkerFile(markerPath, writeMarker({ ...marker, revision: marker.revision + 1 }));
    }
    return await keyring.delete(grantEntry(key), signal);
  }

  /**
   * Writes that nobody is signed in, under a fresh `generation`.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it can be neither written nor taken away.
   */
  async signOut(generation: string): Promise<void> {
    this.#checkOpen();
    await changeMarkerFile(this.#at.markerPath, writeMarker({ current: null, generation, revision: 0 }));
  }

  async #signIn(
    key: string,
    { record, secret }: { readonly record: GrantRecord; readonly secret: string },
  ): Promise<void> {
    const { keyring, markerPath, memory, signal } = this.#at;
    await readItem(keyring, key, { signal }); // a keyring that cannot be read is not to be written either
    const before = await readMarkerFile(markerPath).catch(() => null);
    await writeMarkerFile(markerPath, writeMarker(markerFor(key, record)));
    try {
      await keyring.write(grantEntry(key), { secret, signal });
    } catch (error) {
      if (before?.text === null) await removeMarkerFile(markerPath);
      else if (before !== null) await changeMarkerFile(markerPath, before.text);
      throw error;
    }
    memory.known.set(key, record);
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
    const { marker } = await this.#findMarker();
    if (marker !== null && marker.current !== key) return;
    await changeMarkerFile(this.#at.markerPath, writeMarker(markerFor(key, record)));
  }

  async #findMarker(): Promise<{ readonly marker: GrantMarker | null; readonly damaged: boolean }> {
    try {
      return { marker: await this.marker(), damaged: false };
    } catch (error) {
      if (error instanceof EnterpriseError) return { marker: null, damaged: true };
      throw error;
    }
  }

  #checkOpen(): void {
    if (!this.#open) throw superseded();
  }
}

/** For what must be finished; the keyring has a deadline of its own. */
const never = (): AbortSignal => new AbortController().signal;
