/**
 * Grants in an operator's store of secrets, for hosts on several machines: they share one sign-in, its generation and
 * its refresh token, which is presented by one of them at a time.
 *
 * The store is `core/ports/secret_store.ts`'s, and must be trusted with the tokens themselves. What a grant source is
 * is decided in `grant_source.ts`, what happens under the lock in `shared_grants.ts`, how it is held in
 * `secret_lock.ts`.
 *
 * @module
 */

import type { ClientConfiguration } from "../../../core/enterprise/config/client.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { providerKey } from "../../../core/enterprise/grant/key.ts";
import type { GrantMarker } from "../../../core/enterprise/grant/marker.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { SecretStore } from "../../../core/ports/secret_store.ts";
import { SerialQueue } from "../../async/serial_queue.ts";
import { createClock } from "../transport/clock.ts";
import { createDigest } from "../transport/digest.ts";
import type { GrantSource, LockedGrants } from "./grant_source.ts";
import { SecretItems } from "./secret_items.ts";
import { withSecretLock } from "./secret_lock.ts";
import { SharedGrants } from "./shared_grants.ts";
import { StoredGrants } from "./stored_grants.ts";
import { UnsavedGrants } from "./unsaved_grants.ts";

/** How long one try to store what the store did not take may take, in seconds. */
const SAVE_SECONDS = 10;

/** What a source is made of. */
export interface SharedGrantSourceOptions {
  /** The store. */
  readonly store: SecretStore;
  /** The identity provider, and our client there: each has a lock and a marker of its own. */
  readonly provider: { readonly issuer: string; readonly client: Pick<ClientConfiguration, "clientId"> };
  /**
   * For how long what the marker said is good, in seconds; default 0: it is read before each use of a token, which is
   * one request to the store. More: for so long a sign-out elsewhere goes unnoticed.
   */
  readonly freshSeconds?: number | undefined;
  /** How long another process that holds the lock is waited for, in seconds; default 60. */
  readonly lockSeconds?: number | undefined;
  /** Tells the time, and waits; absent: the runtime's own clock. */
  readonly clock?: ClockPort | undefined;
}

/**
 * The grants of one client of one identity provider, in a store of secrets.
 *
 * @example
 * ```ts
 * import { MemorySecretStore, SharedGrantSource } from "@codex-mcp/runtime/http/tokens";
 *
 * const store = new MemorySecretStore(); // in earnest: your own, over Vault, a database, Kubernetes, ...
 * const provider = { issuer: "https://idp.example", client: { clientId: "codex" } };
 * const source = new SharedGrantSource({ store, provider });
 * console.log(await source.marker(AbortSignal.timeout(1_000))); // null
 * ```
 */
export class SharedGrantSource implements GrantSource {
  /** What it keeps is ours to delete and to revoke. */
  readonly owned = true;
  readonly #options: SharedGrantSourceOptions;
  readonly #clock: ClockPort;
  readonly #queue = new SerialQueue();
  readonly #unsaved: UnsavedGrants;
  #key: Promise<string> | null = null;
  #fresh: { readonly marker: GrantMarker | null; readonly at: number } | null = null;

  /** Reads nothing yet. */
  constructor(options: SharedGrantSourceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? createClock();
    this.#unsaved = new UnsavedGrants({ save: (keys) => this.#save(keys), clock: this.#clock });
  }

  /**
   * What the marker says now.
   *
   * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be read.
   * @throws {EnterpriseError} `KEYRING_LOCKED` with reason `secret-store` when the store fails or is silent.
   */
  async marker(signal: AbortSignal): Promise<GrantMarker | null> {
    const { store, freshSeconds = 0 } = this.#options;
    const now = this.#clock.now();
    const fresh = this.#fresh;
    if (fresh !== null && now >= fresh.at && now - fresh.at < freshSeconds) return fresh.marker;
    const stored = new StoredGrants(new SecretItems(store), await this.#name("marker"));
    const marker = await stored.marker(signal);
    this.#fresh = { marker, at: now };
    return marker;
  }

  /**
   * Runs `work` alone, in this process and on all machines.
   *
   * @throws {EnterpriseError} `LOCK_TIMEOUT` when someone else holds the lock for too long, or `signal` is aborted.
   * @throws {EnterpriseError} `KEYRING_LOCKED` with reason `secret-store` when the store fails or is silent.
   */
  locked<Result>(work: (grants: LockedGrants) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#queue.take(async () => {
      if (signal.aborted) {
        const message = "Cannot wait for the lock of the sign-in: the caller gave up";
        throw new EnterpriseError("LOCK_TIMEOUT", message);
      }
      const { store, lockSeconds: seconds = 60 } = this.#options;
      const [name, marker] = await Promise.all([this.#name("lock"), this.#name("marker")]);
      const options = { store, name, seconds, clock: this.#clock, signal };
      return await withSecretLock(async (held) => {
        const stored = new StoredGrants(new SecretItems(store), marker);
        const { records: unsaved } = this.#unsaved;
        const grants = new SharedGrants({ stored, unsaved, clock: this.#clock, held, signal });
        return await work(grants).finally(() => this.#fresh = null);
      }, options).finally(() => this.#unsaved.saveLater());
    });
  }

  /** Resolves when no rotated token is left to be stored, or the store did not take one for ten seconds. */
  async idle(): Promise<void> {
    await this.#unsaved.idle();
  }

  /** Reading stores what the store did not take. */
  async #save(keys: readonly string[]): Promise<void> {
    const signal = AbortSignal.timeout(SAVE_SECONDS * 1000);
    await this.locked(async (grants) => {
      for (const key of keys) await grants.read(key);
    }, signal);
  }

  async #name(kind: "lock" | "marker"): Promise<string> {
    const { issuer, client: { clientId } } = this.#options.provider;
    this.#key ??= providerKey({ issuer, clientId }, createDigest());
    return `codex-mcp-${kind}-${await this.#key}`;
  }
}
