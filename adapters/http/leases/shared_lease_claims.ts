/**
 * Whose turn it is to get a lease that several processes need: one says so in the store and gets it, the others wait
 * for it there. Whoever waits does so for a bounded time, and a claim ends by itself when its process dies; then the
 * next one takes its turn. Without a store that works everyone gets a lease of its own, as if nothing were shared.
 *
 * Encryption and store are `shared_leases.ts`'s; which leases are good is decided in `lease_memory.ts`; what gets one
 * is `lease_exchange.ts`.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import { SerialQueue } from "../../async/serial_queue.ts";
import { type Dropping, type KnownLease, LeaseMemory } from "./lease_memory.ts";
import type { LeasePlace } from "./lease_seal.ts";
import type { SharedLease } from "./shared_lease.ts";
import type { SharedLeases } from "./shared_leases.ts";

/** How long a claim stands, in seconds: a slow exchange takes as long, and whoever died is waited for no longer. */
const CLAIM_SECONDS = 5;

/** How long a lease of someone else is waited for at most, in seconds. Longer than a claim stands. */
const WAIT_SECONDS = 8;

/** How long between two looks at first, in seconds. It doubles. */
const FIRST_PAUSE = 0.02;

/** How long between two looks at most, in seconds. */
const LONGEST_PAUSE = 0.25;

/** What turns are taken with. */
export interface SharedLeaseClaimsOptions {
  /** The store, and the keys. */
  readonly leases: SharedLeases;
  /** Tells the time, and waits. */
  readonly clock: ClockPort;
  /** How long getting one lease may take, in seconds. Others are waited for half of it at most. */
  readonly deadline: number;
}

/** A turn: a lease that is there, or the task to get one. */
export interface LeaseTurn {
  /** The lease; `null`: the caller gets one, and says {@linkcode LeaseTurn.done}. */
  readonly lease: SharedLease | null;
  /** Shares what was got, `null` when nothing was, and ends the turn. Waits for nothing. */
  done(got: SharedLease | null): void;
}

/** The turns of one client of one identity provider in this process. */
export class SharedLeaseClaims {
  readonly #options: SharedLeaseClaimsOptions;
  readonly #memory = new LeaseMemory();
  readonly #background = new SerialQueue();

  /** Takes turns with `options`. */
  constructor(options: SharedLeaseClaimsOptions) {
    this.#options = options;
  }

  /** Takes a turn. `held` is the lease of this process that a new one is to take the place of; `null`: none. */
  async take(
    place: LeasePlace,
    { held, signal }: { readonly held: string | null; readonly signal: AbortSignal },
  ): Promise<LeaseTurn> {
    const { leases, clock, deadline } = this.#options;
    const patience = Math.min(WAIT_SECONDS, deadline / 2);
    const began = clock.now();
    const old = held === null ? null : this.#memory.usedAs(held)?.id ?? null;
    const token = crypto.randomUUID();
    let pause = FIRST_PAUSE;
    for (let waited = 0;; waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const seen = await leases.look(place, signal);
      if (seen === undefined) return this.#turn(place, { seen: null, token: null });
      const lease = this.#choose(seen.leases, { place, old });
      if (lease !== null) return taken(lease);
      const alone = { seen: seen.text, token: null };
      if (Math.max(waited, clock.now() - began) >= patience) return this.#turn(place, alone);
      const claimed = await leases.claim(place, { token, seconds: CLAIM_SECONDS, signal });
      if (claimed === undefined) return this.#turn(place, alone);
      if (claimed) return await this.#claimed(place, { seen: seen.text, token, old, signal });
      if (!await clock.sleep(pause, signal)) return this.#turn(place, alone);
    }
  }

  /** Notes that a shared lease is used under the name `id` in this process. */
  use(id: string, lease: KnownLease): void {
    this.#memory.use(id, lease);
  }

  /**
   * The lease with the name `id` in this process was dropped. It is taken away in the store too, unless it was at its
   * end, or one of those that are `left` took its place.
   */
  drop(id: string, left: Dropping["left"]): void {
    const { leases, clock } = this.#options;
    const dropped = this.#memory.drop(id, { left, now: clock.now() });
    if (dropped !== null) this.#later((signal) => leases.remove(dropped.place, dropped.id, signal));
  }

  /** Resolves when nothing is left to be shared or taken away. */
  idle(): Promise<void> {
    return this.#background.idle();
  }

  /** Somebody may have shared a lease and given the claim back between the look and the claim. */
  async #claimed(place: LeasePlace, { seen, token, old, signal }: Claiming): Promise<LeaseTurn> {
    const again = await this.#options.leases.look(place, signal);
    const lease = this.#choose(again?.leases ?? [], { place, old });
    if (lease === null) return this.#turn(place, { seen: again === undefined ? seen : again.text, token });
    this.#release(place, token);
    return taken(lease);
  }

  #choose(
    leases: readonly SharedLease[],
    { place, old }: { readonly place: LeasePlace; readonly old: string | null },
  ): SharedLease | null {
    return this.#memory.choose(leases, { binding: place.binding, old, now: this.#options.clock.now() });
  }

  #turn(place: LeasePlace, { seen, token }: Turn): LeaseTurn {
    return {
      lease: null,
      done: (got) => {
        if (got !== null) this.#later((signal) => this.#share(place, { lease: got, seen, signal }));
        if (token !== null) this.#release(place, token);
      },
    };
  }

  async #share(place: LeasePlace, { lease, seen, signal }: Sharing): Promise<void> {
    const { leases, clock } = this.#options;
    if (this.#memory.isDropped(lease.id)) return;
    const seconds = lease.expiresAt - clock.now();
    if (await leases.put(place, { lease, seen, seconds, signal }) || seen === null) return;
    // what was seen may have been taken away since; what somebody put there since stays
    await leases.put(place, { lease, seen: null, seconds, signal });
  }

  #release(place: LeasePlace, token: string): void {
    this.#later((signal) => this.#options.leases.release(place, token, signal));
  }

  /** One after the other, so that what is shared is there before the claim is given back. */
  #later(work: (signal: AbortSignal) => Promise<void>): void {
    this.#background.take(() => work(new AbortController().signal)).catch(() => undefined);
  }
}

function taken(lease: SharedLease): LeaseTurn {
  return { lease, done: () => undefined };
}

interface Turn {
  /** The text that was seen; `null`: none. */
  readonly seen: string | null;
  /** Under what the caller claimed; `null`: it did not. */
  readonly token: string | null;
}

interface Claiming extends Turn {
  readonly token: string;
  readonly old: string | null;
  readonly signal: AbortSignal;
}

interface Sharing extends Pick<Turn, "seen"> {
  readonly lease: SharedLease;
  readonly signal: AbortSignal;
}
