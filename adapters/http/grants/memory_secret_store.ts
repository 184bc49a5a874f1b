/**
 * The secret store in the memory of one process: for tests, and as a pattern for one over an operator's own store.
 *
 * What it implements is decided in `core/ports/secret_store.ts`.
 *
 * @module
 */

import type { SecretChange, SecretStore, StoredSecret } from "../../../core/ports/secret_store.ts";

/**
 * Keeps secrets in memory.
 *
 * @example
 * ```ts
 * import { MemorySecretStore } from "@codex-mcp/runtime/http/tokens";
 *
 * const store = new MemorySecretStore();
 * const { signal } = new AbortController();
 * const revision = await store.write("name", { text: "secret", revision: null }, signal);
 * console.log(await store.write("name", { text: "other", revision: "unknown" }, signal)); // null
 * console.log((await store.read("name", signal))?.revision === revision); // true
 * ```
 */
export class MemorySecretStore implements SecretStore {
  readonly #secrets = new Map<string, StoredSecret>();
  #writes = 0;

  /** The secret under `name`; `null`: there is none. Rejects when `signal` is aborted. */
  read(name: string, signal: AbortSignal): Promise<StoredSecret | null> {
    return new Promise((resolve) => {
      signal.throwIfAborted();
      resolve(this.#secrets.get(name) ?? null);
    });
  }

  /** Compares and changes. Rejects when `signal` is aborted. */
  write(name: string, change: SecretChange, signal: AbortSignal): Promise<string | null> {
    return new Promise((resolve) => {
      signal.throwIfAborted();
      resolve(this.#write(name, change));
    });
  }

  #write(name: string, { text, revision }: SecretChange): string | null {
    const found = this.#secrets.get(name)?.revision ?? null;
    if (found !== revision) return null;
    if (text === null) {
      this.#secrets.delete(name);
      return revision;
    }
    const next = String(this.#writes += 1);
    this.#secrets.set(name, { text, revision: next });
    return next;
  }
}
