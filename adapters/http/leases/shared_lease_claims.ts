/**
 * Whose turn it is to get a lease that several processes need: one says so in the store and gets it, the others wait
 * for it there. The claim is renewed while the exchange runs, and ends by itself when its process dies; then the next
 * one takes its turn. Whoever waits does so for a bounded time. Without a store that works everyone gets a lease of its
 * own, as if nothing were shared.
 *
 * Encryption and store are `shared_leases.ts`'s; which leases are good is decided in `lease_memory.ts`; what gets one
 * is `lease_exchange.ts`.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import { never } from "../../async/never.ts";
import { SerialQueue } from "../../async/serial_queue.ts";
import { type Dropping, type KnownLease, LeaseMemory } from "./lease_memory.ts";
import type { LeasePlace } from "./lease_seal.ts";
import type { SharedLease } from "./shared_lease.ts";
import type { SharedLeases } from "./shared_leases.ts";

/** How long a claim stands, in seconds: whoever died is waited for no longer. */
const CLAIM_SECONDS = 5;

/** How often a claim is renewed, in seconds. */
const RENEW_SECONDS = 2;

/** How long a lease of someone else is waited for at most, in seconds. Longer than a claim stands. */
const WAIT_SECONDS = 15;

/** How long after a failure a claim is given back once more, in seconds: after the store had its pause. */
const AGAIN_SECONDS = 1.1;

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

/** For whom a turn is taken. */
export interface TakingOptions {
  /** The lease of this process that a new one is to take the place of; `null`: none. */
  readonly held: string | null;
  /** Whether a lease is to be got whatever the others have: theirs may be as bad as the one that was refused. */
  readonly own?: boolean | undefined;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
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

  /** Takes a turn. */
  async take(place: LeasePlace, { held, own = false, signal }: TakingOptions): Promise<LeaseTurn> {
    const { leases, clock, deadline } = this.#options;
    const patience = Math.min(WAIT_SECONDS, deadline / 2);
    const began = clock.now();
    const old = held === null ? null : this.#memory.usedAs(held)?.id ?? null;
    const choose = (found: readonly SharedLease[]): SharedLease | null =>
      own ? null : this.#memory.choose(found, { old, now: clock.now() });
    const token = crypto.randomUUID();
    let pause = FIRST_PAUSE;
    for (let waited = 0;; waited += pause, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const seen = await leases.look(place, signal);
      if (seen === undefined) return this.#turn(place, { seen: null, token: null });
      const lease = choose(seen.leases);
      if (lease !== null) return taken(lease);
      const alone = this.#turn(place, { seen: seen.text, token: null });
      if (Math.max(waited, clock.now() - began) >= patience) return alone;
      const claimed = await leases.claim(place, { token, seconds: CLAIM_SECONDS, signal });
      if (claimed === undefined) this.#release(place, token);
      if (claimed) return await this.#claimed(place, { seen: seen.text, token, choose, signal });
      if (claimed === undefined || own || !await clock.sleep(pause, signal)) return alone;
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
  async #claimed(place: LeasePlace, { seen, token, choose, signal }: Claiming): Promise<LeaseTurn> {
    const again = await this.#options.leases.look(place, signal);
    const lease = choose(again?.leases ?? []);
    if (lease === null) return this.#turn(place, { seen: again === undefined ? seen : again.text, token });
    this.#release(place, token);
    return taken(lease);
  }

  #turn(place: LeasePlace, { seen, token }: Turn): LeaseTurn {
    const over = new AbortController();
    if (token !== null) this.#renew(place, token, over.signal).catch(() => undefined);
    return {
      lease: null,
      done: (got) => {
        over.abort();
        if (got !== null) this.#later((signal) => this.#share(place, { lease: got, seen, signal }));
        if (token !== null) this.#release(place, token);
      },
    };
  }

  /** Keeps the claim while the exchange runs, for as long as one may take. */
  async #renew(place: LeasePlace, token: string, over: AbortSignal): Promise<void> {
    const { leases, clock, deadline } = this.#options;
    const claim = { token, seconds: CLAIM_SECONDS, renews: true, signal: over };
    for (let left = deadline; left > 0 && await clock.sleep(RENEW_SECONDS, over); left -= RENEW_SECONDS) {
      if (await leases.claim(place, claim) === false) return;
    }
  }

  async #share(place: LeasePlace, { lease, seen, signal }: Sharing): Promise<void> {
    const { leases, clock } = this.#options;
    if (this.#memory.isDropped(lease.id)) return;
    const seconds = lease.expiresAt - clock.now();
    if (await leases.put(place, { lease, seen, seconds, signal }) || seen === null) return;
    // what was seen may have been taken away since; what somebody put there since stays
    await leases.put(place, { lease, seen: null, seconds, signal });
  }

  /** Gives a claim back, also one that may have been made though nobody said so: the others would wait for its end. */
  #release(place: LeasePlace, token: string): void {
    const { leases, clock } = this.#options;
    this.#later(async (signal) => {
      if (await leases.release(place, token, signal) !== undefined) return;
      await clock.sleep(AGAIN_SECONDS, signal);
      await leases.release(place, token, signal);
    });
  }

  /** One after the other, so that what is shared is there before the claim is given back. */
  #later(work: (signal: AbortSignal) => Promise<void>): void {
    this.#background.take(() => work(never())).catch(() => undefined);
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
  readonly choose: (found: readonly SharedLease[]) => SharedLease | null;
  readonly signal: AbortSignal;
}

interface Sharing extends Pick<Turn, "seen"> {
  readonly lease: SharedLease;
  readonly signal: AbortSignal;
}
