/**
 * Grants, stores and keyrings for the tests of this folder.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { GrantStore } from "../../../adapters/keyring/grant_store.ts";
import type { Keyring } from "../../../adapters/keyring/keyring.ts";
import type { LockModule } from "../../../adapters/keyring/lock.ts";
import { createMemoryKeyring } from "../../../adapters/keyring/memory.ts";
import { keyringError } from "../../../adapters/keyring/native.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";

/** Key of a grant. */
export const KEY: string = "ab".repeat(32);

/** Key of another account's. */
export const OTHER_KEY: string = "cd".repeat(32);

/** Key of a client. */
export const PROVIDER_KEY: string = "ef".repeat(32);

/** A sign-in with this generation's digit. */
export function record(digit: string, changes: Partial<GrantRecord> = {}): GrantRecord {
  return {
    issuer: "https://idp.example",
    clientId: "client",
    user: "user",
    workspace: null,
    subject: "subject",
    generation: `${digit}0`.repeat(16),
    revision: 0,
    refreshToken: `refresh-${digit}`,
    idToken: null,
    idTokenExpiresAt: null,
    signedInAt: 1_700_000_000,
    others: {},
    ...changes,
  };
}

/** Loads the lock, as the adapters do. */
export async function loadLock(): Promise<LockModule> {
  return await import("@rushstack/node-core-library/lib/LockFile");
}

/** A keyring in memory that counts, and refuses what it is told to. */
export class FaultyKeyring implements Keyring {
  /** What was done, in order. */
  readonly done: string[] = [];
  /** The calls that are refused as if the keyring were locked. */
  locked: readonly ("read" | "write" | "delete")[] = [];
  /** What a given-up write waits for. */
  pending: Promise<void> | null = null;
  readonly #inner = createMemoryKeyring();

  describe = (): "memory" => "memory";
  unsettled = (): Promise<void> | null => this.pending;
  read: Keyring["read"] = (entry, signal) => this.#do("read", () => this.#inner.read(entry, signal));
  write: Keyring["write"] = (entry, options) => this.#do("write", () => this.#inner.write(entry, options));
  delete: Keyring["delete"] = (entry, signal) => this.#do("delete", () => this.#inner.delete(entry, signal));

  /** What was done since the last time. */
  take(): string {
    return this.done.splice(0).join(" ");
  }

  #do<T>(name: "read" | "write" | "delete", act: () => Promise<T>): Promise<T> {
    this.done.push(name);
    return this.locked.includes(name) ? Promise.reject(keyringError("memory", "locked")) : act();
  }
}

/** A store over such a keyring, as one process has it; `again` is another process's over the same. */
export interface Bench {
  readonly folder: string;
  readonly keyring: FaultyKeyring;
  readonly store: GrantStore;
  again(): GrantStore;
}

/** Runs `body` with a store in a folder of its own. */
export async function withStore(
  body: (bench: Bench) => Promise<void>,
  { lockSeconds = 10 }: { readonly lockSeconds?: number } = {},
): Promise<void> {
  const base = await mkdtemp(`${tmpdir()}/keyring-store-`);
  const folder = `${base}/state`;
  const keyring = new FaultyKeyring();
  const again = (): GrantStore =>
    new GrantStore({ keyring, folder, provider: PROVIDER_KEY, loadLock, lockSeconds });
  try {
    await body({ folder, keyring, store: again(), again });
  } finally {
    await rm(base, { recursive: true });
  }
}
