/**
 * Tells other processes of which grants this one has newer tokens than the keyring, for as long as it lives: what is
 * stored of these is spent, and presenting it again would have the identity provider end the sign-in. A lock for each
 * such grant says so, because the lock of a process that died is nobody's: its tokens are lost, and what is stored is
 * all that there is.
 *
 * Which tokens these are is decided in `locked_grants.ts`; what a lock is in `lock.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../core/enterprise/error.ts";
import type { LockModule } from "./lock.ts";
import { unusable } from "./state_folder.ts";

/** What the locks are made of. */
export interface UnsavedTokensOptions {
  /** The folder of the locks. */
  readonly folder: string;
  /** Loads the package of the lock. */
  readonly loadLock: () => Promise<LockModule>;
}

/** The grants of which this process has newer tokens than the keyring. Used under the lock of the store alone. */
export class UnsavedTokens {
  readonly #options: UnsavedTokensOptions;
  readonly #held = new Map<string, { release(): void }>();

  /** Begins with none. */
  constructor(options: UnsavedTokensOptions) {
    this.#options = options;
  }

  /**
   * Says that it is the grants with these keys, and no others. Never rejects: a lock that cannot be had is passed
   * over.
   */
  async tell(keys: readonly string[]): Promise<void> {
    for (const [key, lock] of [...this.#held]) {
      if (keys.includes(key)) continue;
      this.#held.delete(key);
      lock.release();
    }
    for (const key of keys) {
      const lock = this.#held.has(key) ? undefined : await this.#take(key).catch(() => undefined);
      if (lock !== undefined) this.#held.set(key, lock);
    }
  }

  /**
   * Nobody else has newer tokens of the grant with this key.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` when a process that lives has some.
   * @throws {EnterpriseError} `MARKER_MALFORMED` when the folder cannot hold a lock.
   */
  async check(key: string): Promise<void> {
    if (this.#held.has(key)) return;
    const lock = await this.#take(key);
    if (lock === undefined) throw elsewhere();
    lock.release();
  }

  /** Takes the lock of a grant; `undefined` when another process has it. */
  async #take(key: string): Promise<{ release(): void } | undefined> {
    const { folder, loadLock } = this.#options;
    const { LockFile } = await loadLock();
    try {
      return LockFile.tryAcquire(folder, `${key}-unsaved`);
    } catch (error) {
      throw unusable(folder, "it cannot hold a lock", error);
    }
  }
}

function elsewhere(): EnterpriseError {
  return new EnterpriseError(
    "KEYRING_LOCKED",
    "Cannot use the stored sign-in: another program has newer tokens, which the keyring did not take. " +
      "Use that program once more, or end it and sign in again",
    { reason: "unsaved" },
  );
}
