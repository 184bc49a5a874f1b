/**
 * Leases that several processes share through a store, encrypted with the operator's keys. Nothing is shared unless a
 * program opens this and gives it to its tokens or its host; the sign-in itself never goes there, and no refresh token
 * or ID token.
 *
 * A lease is under a name of its own for each binding and generation, so that one of an older sign-in never takes the
 * place of a newer one's; what is there is replaced only by who saw it. When one is got, and by whom, is decided in
 * `shared_lease_claims.ts`; what a store that fails leads to in `guarded_store.ts`.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { LeaseStore } from "../../../core/ports/lease_store.ts";
import { createClock } from "../transport/clock.ts";
import { GuardedStore, type LeaseStoreEvent } from "./guarded_store.ts";
import { type LeaseKey, type LeasePlace, LeaseSeal } from "./lease_seal.ts";
import type { SharedLease } from "./shared_lease.ts";

/** What leases are shared with. */
export interface SharedLeasesOptions {
  /** The store. */
  readonly store: LeaseStore;
  /**
   * The operator's keys: 32 random bytes each, or the same in base64. The first one encrypts, all of them decrypt.
   * Every process that is to share has them.
   */
  readonly keys: readonly LeaseKey[];
  /** Is told when the store fails, once until it works again. What it throws is thrown alone, afterwards. */
  readonly onEvent?: ((event: LeaseStoreEvent) => void) | undefined;
  /** How long one operation of the store may take, in milliseconds above 0; default 250. */
  readonly limitMs?: number | undefined;
  /** Tells the time; absent: the runtime's own clock. */
  readonly clock?: Pick<ClockPort, "now"> | undefined;
}

/** What is in the store for a place. */
export interface SeenLeases {
  /** The leases that could be read, under whichever key. */
  readonly leases: readonly SharedLease[];
  /** The text that the next lease takes the place of; `null`: of none. */
  readonly text: string | null;
}

const DEFAULT_LIMIT_MS = 250;

/** How many places where something was refused are remembered. */
const MOST_REFUSED = 1_000;

/** Leases that are shared. One for a program, whatever it makes of tokens and hosts. */
export class SharedLeases {
  readonly #seal: LeaseSeal;
  readonly #store: GuardedStore;
  readonly #onEvent: SharedLeasesOptions["onEvent"];
  /** Names of places where something was refused, until a lease is found there. */
  readonly #refused = new Set<string>();

  /** `seal` holds the keys. */
  constructor(seal: LeaseSeal, { store, onEvent, limitMs, clock = createClock() }: SharedLeasesOptions) {
    const limit = (limitMs ?? DEFAULT_LIMIT_MS) / 1000;
    this.#seal = seal;
    this.#onEvent = onEvent;
    this.#store = new GuardedStore({ store, clock, limit, tell: (event) => this.#tell(event) });
  }

  /** What is there; `undefined`: the store could not be asked. */
  async look(place: LeasePlace, signal: AbortSignal): Promise<SeenLeases | undefined> {
    const { leases: names } = await this.#seal.names(place);
    const texts = await Promise.all(names.map((name) => this.#store.read(name, signal)));
    const [text] = texts;
    if (text === undefined) return undefined;
    const opened = await Promise.all(names.map(async (name, index) => {
      const found = texts[index] ?? null;
      return found === null ? undefined : await this.#seal.open(found, { ...place, name, index });
    }));
    const leases = opened.filter((one) => one !== null && one !== undefined);
    this.#noteRefusal(names.join(), { refused: opened.includes(null), found: leases.length > 0 });
    return { leases, text };
  }

  /** Puts a lease in place of what was `seen`; `false`: something else is there, or the store could not be asked. */
  async put(
    place: LeasePlace,
    { lease, seen, seconds, signal }: {
      readonly lease: SharedLease;
      readonly seen: string | null;
      readonly seconds: number;
      readonly signal: AbortSignal;
    },
  ): Promise<boolean> {
    const [name = ""] = (await this.#seal.names(place)).leases;
    const next = await this.#seal.seal(lease, { ...place, name });
    if (next === null || seconds <= 0) return false;
    return await this.#store.change(name, { expected: seen, next, seconds }, signal) === true;
  }

  /** Takes the lease `id` away, under whichever key it is. Another one stays. */
  async remove(place: LeasePlace, id: string, signal: AbortSignal): Promise<void> {
    const { leases: names } = await this.#seal.names(place);
    await Promise.all(names.map(async (name, index) => {
      const text = await this.#store.read(name, signal) ?? null;
      const lease = text === null ? null : await this.#seal.open(text, { ...place, name, index });
      if (text !== null && lease?.id === id) {
        await this.#store.change(name, { expected: text, next: null }, signal);
      }
    }));
  }

  /**
   * Says for `seconds` that this caller is getting the lease, under `token`; `renews` says so anew of a claim that it
   * has. `false`: somebody else is, or the claim is over. `undefined`: the store could not be asked.
   */
  async claim(
    place: LeasePlace,
    { token, seconds, renews = false, signal }: {
      readonly token: string;
      readonly seconds: number;
      readonly renews?: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<boolean | undefined> {
    const { claim } = await this.#seal.names(place);
    return await this.#store.change(claim, { expected: renews ? token : null, next: token, seconds }, signal);
  }

  /** Takes back what was said under `token`; `false`: that is over already. `undefined` as for a claim. */
  async release(place: LeasePlace, token: string, signal: AbortSignal): Promise<boolean | undefined> {
    const { claim } = await this.#seal.names(place);
    return await this.#store.change(claim, { expected: token, next: null }, signal);
  }

  #noteRefusal(
    place: string,
    { refused, found }: { readonly refused: boolean; readonly found: boolean },
  ): void {
    if (!refused && found) this.#refused.delete(place);
    if (!refused || this.#refused.has(place)) return;
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.add(place);
    this.#tell({ kind: "lease-refused" });
  }

  #tell(event: LeaseStoreEvent): void {
    try {
      this.#onEvent?.(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/**
 * Opens leases that are shared with other processes. Give the result to `EnterpriseTokens` or `createHost` as
 * `sharedLeases`. Nothing is read yet.
 *
 * Processes share when they have the same keys, the same store and the same sign-in: the generation of their grant
 * source must be one, as with the keyring of one machine or `SharedGrantSource` on several.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` with reason `lease-key` when there is no key, or one is not 32
 * bytes; with reason `lease-limit` when `limitMs` is no number above 0.
 *
 * @example
 * ```ts
 * import { createClock } from "@codex-mcp/runtime/http";
 * import { MemoryLeaseStore, openSharedLeases } from "@codex-mcp/runtime/http/tokens";
 *
 * const sharedLeases = await openSharedLeases({
 *   store: new MemoryLeaseStore({ clock: createClock() }),
 *   keys: [crypto.getRandomValues(new Uint8Array(32))], // from your secret manager, the same for all processes
 *   onEvent: ({ kind }) => console.warn(kind),
 * });
 * console.log(sharedLeases !== null); // true
 * ```
 */
export async function openSharedLeases(options: SharedLeasesOptions): Promise<SharedLeases> {
  const { keys, limitMs = DEFAULT_LIMIT_MS } = options;
  if (!Number.isFinite(limitMs) || limitMs <= 0) {
    const message = "Cannot share leases: limitMs is no number of milliseconds above 0";
    throw new EnterpriseError("CONFIGURATION_REFUSED", message, { reason: "lease-limit" });
  }
  return new SharedLeases(await LeaseSeal.create(keys), options);
}
