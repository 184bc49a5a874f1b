/**
 * Where the grants of one client at one identity provider are kept: in the keyring, with a marker beside the lock.
 * Whatever presents or changes a refresh token does so in {@linkcode GrantStore.locked}, one caller at a time on the
 * whole machine.
 *
 * This file decides when the lock is held: for a renewal, never for a tool call. What happens under it is decided in
 * `locked_grants.ts`, what a change means for leases and threads in `core/enterprise/authorization`.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import type { GrantMarker } from "../../core/enterprise/grant/marker.ts";
import type { GrantSource, LockedGrants } from "../http/grants/grant_source.ts";
import type { GrantMemory } from "./grant_item.ts";
import type { Keyring } from "./keyring.ts";
import { acquireLock, type LockModule } from "./lock.ts";
import { OpenGrants } from "./locked_grants.ts";
import { readMarkerFile } from "./marker_file.ts";
import { makeStateFolder } from "./state_folder.ts";
import { UnsavedTokens } from "./unsaved_tokens.ts";

/** How a store waits. */
export interface GrantStoreSettings {
  /** Seconds to wait for another process that holds the lock; 60 when absent. */
  readonly lockSeconds?: number;
}

/** What a store is made of. */
export interface GrantStoreOptions extends GrantStoreSettings {
  /** The keyring. */
  readonly keyring: Keyring;
  /** An absolute path of the folder for markers and locks; it is made when needed, with mode 0700. */
  readonly folder: string;
  /** Key of the client, as `providerKey` makes it: the name of marker and lock. */
  readonly provider: string;
  /** Loads the package of the lock, when it is needed first. */
  readonly loadLock: () => Promise<LockModule>;
}

/** Keeps the grants of one client. One for a program: it remembers what it read, so it holds tokens. */
export class GrantStore implements GrantSource {
  /** What it keeps is ours to delete and to revoke. */
  readonly owned = true;
  readonly #options: GrantStoreOptions;
  readonly #memory: GrantMemory = { known: new Map(), unsaved: new Map() };
  readonly #unsaved: UnsavedTokens;

  /**
   * Creates it; nothing is read, made or loaded yet.
   *
   * @throws {EnterpriseError} `RANDOM_MALFORMED` when `provider` is no key, and so no name of a file.
   */
  constructor(options: GrantStoreOptions) {
    this.#options = options;
    this.#unsaved = new UnsavedTokens(options);
    if (/^[0-9a-f]{64}$/.test(options.provider)) return;
    throw new EnterpriseError("RANDOM_MALFORMED", "Cannot keep grants: the key of the client is no digest");
  }

  /**
   * What the marker says now, read from the file each time; `null`: nobody ever signed in. Reads no secret and waits
   * for no lock.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be read: nothing of these grants may be used.
   */
  async marker(): Promise<GrantMarker | null> {
    return (await readMarkerFile(this.#markerPath())).marker;
  }

  /**
   * Runs `work` alone, in this process and in all others, and gives the lock back when it has ended. A lock is taken
   * over from a dead process only. A write that was given up may still come: until then nobody else gets the lock.
   *
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long, or `signal` is aborted.
   * @throws {EnterpriseError} `MARKER_MALFORMED` when the folder cannot be used.
   */
  async locked<Result>(
    work: (grants: LockedGrants) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const { keyring, folder, provider, loadLock, lockSeconds = 60 } = this.#options;
    await makeStateFolder(folder);
    const release = await acquireLock({
      folder,
      name: provider,
      seconds: lockSeconds,
      signal,
      load: loadLock,
    });
    const memory = this.#memory;
    const unsaved = this.#unsaved;
    const grants = new OpenGrants({ keyring, markerPath: this.#markerPath(), memory, unsaved, signal });
    try {
      return await work(grants);
    } finally {
      grants.close();
      await unsaved.tell([...memory.unsaved.keys()]);
      const unsettled = keyring.unsettled();
      if (unsettled === null) release();
      else void unsettled.then(release);
    }
  }

  #markerPath(): string {
    return `${this.#options.folder}/${this.#options.provider}.json`;
  }
}
