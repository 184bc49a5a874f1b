/**
 * Which shared leases this process uses, and which it never takes again. What it dropped before its end is gone for it.
 * After a lease was refused or revoked, what is in the store then is not taken either unless it was received later: it
 * may be as bad.
 *
 * When leases are taken is decided in `shared_lease_claims.ts`, when one is dropped in
 * `core/enterprise/authorization/`.
 *
 * @module
 */

import type { LeaseState } from "../../../core/enterprise/authorization/state.ts";
import { isLeaseAlive, MAX_LEASE_SECONDS } from "../../../core/enterprise/lease.ts";
import type { LeasePlace } from "./lease_seal.ts";
import type { SharedLease } from "./shared_lease.ts";

/** What is left of a lease that is worth taking, in seconds. */
const WORTH_SECONDS = 5;

/** A lease that this process uses, as it is shared. Holds no token. */
export interface KnownLease extends Pick<SharedLease, "id" | "expiresAt"> {
  /** Where it is. */
  readonly place: LeasePlace;
  /** Name of the server that it is used for. */
  readonly server: string;
}

/** What was dropped, and when. */
export interface Dropping {
  /** The leases that this process has after that. */
  readonly left: readonly Pick<LeaseState, "server" | "binding">[];
  /** Epoch seconds. */
  readonly now: number;
}

/** Remembers shared leases. */
export class LeaseMemory {
  /** By the name that the lease has in this process. */
  readonly #used = new Map<string, KnownLease>();
  /** By the name in all processes: until when that is worth knowing. */
  readonly #dropped = new Map<string, number>();
  /** By binding: when a lease was refused or revoked. */
  readonly #refused = new Map<string, number>();

  /** Notes that a shared lease is used under the name `id` in this process. */
  use(id: string, lease: KnownLease): void {
    this.#used.set(id, lease);
  }

  /** The shared lease that is used under the name `id`; `undefined`: none is. */
  usedAs(id: string): KnownLease | undefined {
    return this.#used.get(id);
  }

  /** Whether this process dropped the shared lease `id`. */
  isDropped(id: string): boolean {
    return this.#dropped.has(id);
  }

  /**
   * The lease with the name `id` was dropped. Gives it back where nobody must use it any more: it was not at its end,
   * and none took its place.
   */
  drop(id: string, { left, now }: Dropping): KnownLease | null {
    const known = this.#used.get(id);
    this.#used.delete(id);
    for (const [one, until] of this.#dropped) if (until <= now) this.#dropped.delete(one);
    for (const [one, at] of this.#refused) if (at + MAX_LEASE_SECONDS <= now) this.#refused.delete(one);
    if (known === undefined || known.expiresAt <= now) return null;
    this.#dropped.set(known.id, known.expiresAt);
    const { server, place: { binding } } = known;
    if (left.some((one) => one.server === server && one.binding === binding)) return null;
    this.#refused.set(binding, now);
    return known;
  }

  /** The one of `leases` that is good for longest, but not `old`; `null`: none is good. */
  choose(
    leases: readonly SharedLease[],
    { binding, old, now }: { readonly binding: string; readonly old: string | null; readonly now: number },
  ): SharedLease | null {
    const refusedAt = this.#refused.get(binding);
    this.#refused.delete(binding);
    for (const { id, receivedAt, expiresAt } of leases) {
      if (refusedAt !== undefined && receivedAt < refusedAt) this.#dropped.set(id, expiresAt);
    }
    const good = leases
      .filter(({ id }) => id !== old && !this.#dropped.has(id))
      .filter((one) => isLeaseAlive(one, now) && one.expiresAt - now > WORTH_SECONDS);
    return good.toSorted((a, b) => b.expiresAt - a.expiresAt)[0] ?? null;
  }
}
