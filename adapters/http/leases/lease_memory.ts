/**
 * Which shared leases this process uses, and which it never takes again: what it dropped before its end is gone for it.
 *
 * When leases are taken at all is decided in `shared_lease_claims.ts` and `lease_exchange.ts`, when one is dropped in
 * `core/enterprise/authorization/`.
 *
 * @module
 */

import type { LeaseState } from "../../../core/enterprise/authorization/state.ts";
import { isLeaseAlive } from "../../../core/enterprise/lease.ts";
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
    if (known === undefined || known.expiresAt <= now) return null;
    this.#dropped.set(known.id, known.expiresAt);
    const { server, place: { binding } } = known;
    return left.some((one) => one.server === server && one.binding === binding) ? null : known;
  }

  /** The one of `leases` that is good for longest, but not `old`; `null`: none is good. */
  choose(
    leases: readonly SharedLease[],
    { old, now }: { readonly old: string | null; readonly now: number },
  ): SharedLease | null {
    const good = leases
      .filter(({ id }) => id !== old && !this.#dropped.has(id))
      .filter((one) => isLeaseAlive(one, now) && one.expiresAt - now > WORTH_SECONDS);
    return good.toSorted((a, b) => b.expiresAt - a.expiresAt)[0] ?? null;
  }
}
