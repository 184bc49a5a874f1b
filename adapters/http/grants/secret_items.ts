/**
 * The secrets of one piece of work on a secret store: each write compares with what this work read, so that work which
 * was overtaken changes nothing. After a write that failed, what is there is this work's only if it is a text that this
 * work tried to write: no revision of somebody else's is ever taken for its own. Every request has a time limit, and no
 * error of the store is shown.
 *
 * What a store is is decided in `core/ports/secret_store.ts`; who works on it when in `secret_lock.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { SecretChange, SecretStore, StoredSecret } from "../../../core/ports/secret_store.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import { redactError } from "../transport/redact.ts";

/** How long one request to the store may take, in seconds. */
const LIMIT_SECONDS = 5;

/** Reads and writes secrets, and remembers the revisions that it saw. */
export class SecretItems {
  readonly #store: SecretStore;
  readonly #seen = new Map<string, string | null>();
  /** What was to be written, and may be there although the store said that it failed. */
  readonly #doubtful = new Map<string, Set<string | null>>();

  /** Works on `store`. */
  constructor(store: SecretStore) {
    this.#store = store;
  }

  /**
   * The text under `name`; `null`: there is none.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` with reason `secret-store` when the store fails or is silent.
   */
  async read(name: string, signal: AbortSignal): Promise<string | null> {
    const found = await this.#look(name, signal);
    this.#seen.set(name, found?.revision ?? null);
    return found?.text ?? null;
  }

  /** The revision of what this work read or wrote last under `name`; `undefined`: it did neither. */
  revisionOf(name: string): string | null | undefined {
    return this.#seen.get(name);
  }

  /**
   * Writes `text`, `null` to delete it; `false`: it is not any more as it was read or written here. What was not read
   * is read first. What fails is looked at, and tried once more where nothing came of it.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` with reason `secret-store` when the store fails or is silent.
   */
  async write(name: string, text: string | null, signal: AbortSignal): Promise<boolean> {
    if (!this.#seen.has(name)) await this.read(name, signal);
    const doubtful = this.#doubtful.get(name) ?? new Set();
    this.#doubtful.set(name, doubtful);
    for (let failures = 0, failed = false;; failed = false) {
      const revision = this.#seen.get(name) ?? null;
      if (text === null && revision === null && doubtful.size === 0) return true;
      let next: string | null = null;
      try {
        next = await this.#write(name, { text, revision }, signal);
      } catch (error) {
        doubtful.add(text);
        failed = true;
        failures += 1;
        if (failures > 1) throw error;
      }
      if (next !== null) return this.#settle(name, text === null ? null : next);
      const found = await this.#look(name, signal);
      const there = found?.text ?? null;
      if (there === text && doubtful.has(text)) return this.#settle(name, found?.revision ?? null);
      if (found !== null && doubtful.delete(found.text)) this.#seen.set(name, found.revision);
      else if (!failed || (found?.revision ?? null) !== revision) {
        return text === null && revision === null && found === null;
      }
    }
  }

  /** Notes what is known to be there now, after a write of this work. */
  #settle(name: string, revision: string | null): true {
    this.#seen.set(name, revision);
    this.#doubtful.delete(name);
    return true;
  }

  /** The new revision; `null`: another one was there, or there is nothing to delete. */
  async #write(name: string, change: SecretChange, signal: AbortSignal): Promise<string | null> {
    if (change.text === null && change.revision === null) return null;
    return await ask((within) => this.#store.write(name, change, within), signal);
  }

  #look(name: string, signal: AbortSignal): Promise<StoredSecret | null> {
    return ask((within) => this.#store.read(name, within), signal);
  }
}

/** The answer of the store, in time. */
async function ask<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await withinSeconds((within) => unlessAborted(async () => await work(within), within), {
      seconds: LIMIT_SECONDS,
      signal,
    });
  } catch (error) {
    const message = "Cannot use the store of secrets: it failed, or does not answer";
    const cause = redactError(error);
    throw new EnterpriseError("KEYRING_LOCKED", message, { reason: "secret-store", cause });
  }
}
