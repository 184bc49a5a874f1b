/**
 * A secret store for tests: in memory, counting, and failing before or after it did what it was asked.
 *
 * @module
 */

import { MemorySecretStore } from "../../../../adapters/http/grants/memory_secret_store.ts";
import type { SecretChange, SecretStore, StoredSecret } from "../../../../core/ports/secret_store.ts";

/** When a request fails. */
export type StoreFault = "before" | "after" | "silent";

/** A store that fails as a test says. */
export class FaultySecretStore implements SecretStore {
  readonly #inner = new MemorySecretStore();
  /** How the next requests fail, in order; `null`: one that does not. */
  readonly faults: { readonly read: (StoreFault | null)[]; readonly write: (StoreFault | null)[] } = {
    read: [],
    write: [],
  };
  /** What was asked, in order. */
  readonly asked: string[] = [];

  /** Reads. */
  async read(name: string, signal: AbortSignal): Promise<StoredSecret | null> {
    this.asked.push(`read ${name}`);
    return await this.#do(() => this.#inner.read(name, signal), this.faults.read.shift());
  }

  /** Compares and changes. */
  async write(name: string, change: SecretChange, signal: AbortSignal): Promise<string | null> {
    this.asked.push(`${change.text === null ? "delete" : "write"} ${name}`);
    return await this.#do(() => this.#inner.write(name, change, signal), this.faults.write.shift());
  }

  async #do<Answer>(work: () => Promise<Answer>, fault: StoreFault | null = null): Promise<Answer> {
    if (fault === "silent") return await new Promise<never>(() => undefined);
    if (fault === "before") throw new Error("s3cret");
    const answer = await work();
    if (fault === "after") throw new Error("s3cret");
    return answer;
  }
}
