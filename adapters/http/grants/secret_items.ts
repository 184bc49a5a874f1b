/**
 * The secrets of one piece of work on a secret store: each write compares with what this work read, so that work which
 * was overtaken changes nothing. Every request has a time limit, and no error of the store is shown.
 *
 * What a store is is decided in `core/ports/secret_store.ts`; who works on it when in `secret_lock.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { SecretChange, SecretStore } from "../../../core/ports/secret_store.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { unlessAborted } from "../../async/unless_aborted.ts";
import { redactError } from "../transport/redact.ts";

/** How long one request to the store may take, in seconds. */
const LIMIT_SECONDS = 5;

/** Reads and writes secrets, and remembers the revisions that it saw. */
export class SecretItems {
  readonly #store: SecretStore;
  readonly #seen = new Map<string, string | null>();

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
    const found = await ask((within) => this.#store.read(name, within), signal);
    this.#seen.set(name, found?.revision ?? null);
    return found?.text ?? null;
  }

  /**
   * Writes `text`, `null` to delete it; `false`: it is not any more as it was read here. What was not read is read
   * first.
   *
   * @throws {EnterpriseError} `KEYRING_LOCKED` with reason `secret-store` when the store fails or is silent.
   */
  async write(name: string, text: string | null, signal: AbortSignal): Promise<boolean> {
    if (!this.#seen.has(name)) await this.read(name, signal);
    const revision = this.#seen.get(name) ?? null;
    if (text === null && revision === null) return true;
    const change: SecretChange = { text, revision };
    let next: string | null;
    try {
      next = await ask((within) => this.#store.write(name, change, within), signal);
    } catch (error) {
      // it may be written all the same
      if (await this.#settled(name, { text, revision, signal })) return true;
      throw error;
    }
    if (next === null) return false;
    this.#seen.set(name, text === null ? null : next);
    return true;
  }

  /** Whether a write that failed was done, or can be done now. */
  async #settled(
    name: string,
    { text, revision, signal }: SecretChange & { readonly signal: AbortSignal },
  ): Promise<boolean> {
    if (await this.read(name, signal) === text) return true;
    if ((this.#seen.get(name) ?? null) !== revision) return false;
    const next = await ask((within) => this.#store.write(name, { text, revision }, within), signal);
    if (next !== null) this.#seen.set(name, text === null ? null : next);
    return next !== null;
  }
}

/** For what must be finished: requests have a time limit of their own. */
export function never(): AbortSignal {
  return new AbortController().signal;
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
