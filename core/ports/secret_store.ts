/**
 * The secret store port: what an operator's own store of secrets must offer, so that hosts on several machines share a
 * sign-in. Most stores have it: a version to compare (Vault's `cas`), an ETag, a resource version, a row and its
 * number.
 *
 * This file decides the shapes only; `adapters/http/grants/memory_secret_store.ts` implements them in memory, and
 * `adapters/http/grants/shared_grant_source.ts` decides what is kept. Encryption and access are the store's own.
 *
 * @module
 */

/** A secret as it is stored. */
export interface StoredSecret {
  /** The secret: at most 8 KiB of text. */
  readonly text: string;
  /** What tells this write of it from every other one. */
  readonly revision: string;
}

/** What becomes of a secret. */
export interface SecretChange {
  /** The new text; `null`: it is deleted. */
  readonly text: string | null;
  /** The revision that it must have; `null`: there must be none. */
  readonly revision: string | null;
}

/** Keeps secrets for several machines. What it rejects with is never shown: it may hold anything. */
export interface SecretStore {
  /**
   * The secret under `name`, as the last write that ended left it; `null`: there is none. A name has at most 90
   * letters, digits and dashes.
   */
  read(name: string, signal: AbortSignal): Promise<StoredSecret | null>;
  /** Compares and changes in one step. The new revision, of a deletion the old one; `null`: another one was there. */
  write(name: string, change: SecretChange, signal: AbortSignal): Promise<string | null>;
}
