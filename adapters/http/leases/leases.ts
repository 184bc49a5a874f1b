/**
 * Hands out leases: a living one at once, a new one after one exchange for all who wait, one that nears its end while
 * its successor is already being got. The state is asked again at each use.
 *
 * Who may use what is decided in `core/enterprise/authorization/use.ts`, when a lease is renewed in
 * `core/enterprise/lease.ts`; `lease_exchange.ts` gets a new one.
 *
 * @module
 */

import { type LeaseState, threadOf } from "../../../core/enterprise/authorization/state.ts";
import { tagOf } from "../../../core/enterprise/authorization/tag.ts";
import { exchangeRefusal, leaseUseRefusal } from "../../../core/enterprise/authorization/use.ts";
import {
  serverUseRefusal,
  type ThreadUse,
  type UseRefusal,
} from "../../../core/enterprise/authorization/use.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { renewalTime } from "../../../core/enterprise/lease.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { follow } from "../../async/follow.ts";
import type { ServerEntry } from "../authorization/server_registry.ts";
import type { GrantSource } from "../grants/grant_source.ts";
import { Flights } from "./flights.ts";
import { bindingOf, LeaseExchange, type LeaseExchangeOptions, superseded } from "./lease_exchange.ts";

/** How a leases works. */
export interface LeasesOptions extends LeaseExchangeOptions {
  /** Gives a random number from 0 to 1. */
  readonly random: () => number;
  /** How long getting one lease may take, in seconds. */
  readonly deadline: number;
  /** Where the sign-in is kept. */
  readonly source?: Pick<GrantSource, "idle"> | undefined;
  /** The error for a refusal. */
  readonly refused: (refusal: UseRefusal, use: ThreadUse) => EnterpriseError;
}

/** Which lease is wanted. */
export interface LeaseRequest extends ThreadUse {
  /** The scopes to ask for; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Whether a challenge asked for these scopes. */
  readonly stepUp: boolean;
  /** Ends the waiting, not the work that others wait for. */
  readonly signal?: AbortSignal | undefined;
}

/** A lease as it is handed out. Holds the token: use it at once and keep it nowhere. */
export interface HandedLease {
  /** Name of the lease. */
  readonly lease: string;
  /** What the lease is bound to. */
  readonly binding: string;
  /** The access token. */
  readonly token: string;
}

interface Looking {
  /** Looks whether the sign-in changed. */
  readonly look: () => Promise<void>;
  /** Ends what waits for the keyring. */
  readonly limit: AbortSignal;
}

/** Hands out the leases of one client of one identity provider. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #exchange: LeaseExchange;
  readonly #flights = new Flights();
  readonly #renewAt = new Map<string, number>();

  /** Works with `options`. */
  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#exchange = new LeaseExchange(options);
  }

  /**
   * A lease for the use that is wanted.
   *
   * @throws {EnterpriseError} `SIGN_IN_REQUIRED` when nobody is signed in; any other code as its name says.
   */
  async lease(wanted: LeaseRequest): Promise<HandedLease> {
    const { authorization, deadline: seconds } = this.#options;
    return await withinSeconds(async (limit) => {
      const { controller, stop } = follow(limit, ...(wanted.signal === undefined ? [] : [wanted.signal]));
      const look = (): Promise<void> => authorization.grant.sync(controller.signal);
      return await this.#lease(wanted, { look, limit }).finally(stop);
    }, { seconds });
  }

  async #lease(wanted: LeaseRequest, { look, limit }: Looking): Promise<HandedLease> {
    const { authorization, clock } = this.#options;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await look(); // also after an exchange, which takes its time
      if (threadOf(authorization.state, wanted) === undefined) {
        authorization.dispatch({ kind: "thread-opened", thread: wanted.thread, server: wanted.server });
      }
      authorization.dispatch({ kind: "time-passed", now: clock.now() });
      const entry = this.#admit(wanted);
      const held = this.#find(entry, wanted);
      if (held !== null) return held;
      await this.#admitExchange(wanted, limit);
      await this.#get(entry, wanted).catch((error: unknown) => {
        throw this.#explain(error, wanted);
      });
    }
    throw superseded(wanted.server);
  }

  /** Why the lease may not be sent now; `null`: it may. Asked right before each request. */
  refusal(use: ThreadUse & Pick<HandedLease, "lease" | "binding">): UseRefusal | null {
    const { authorization, clock } = this.#options;
    return leaseUseRefusal(authorization.state, { ...use, now: clock.now() });
  }

  /** Resolves when no exchange is under way, and nothing that one led to. */
  async idle(): Promise<void> {
    await this.#flights.idle();
    await this.#options.authorization.settled();
    await this.#options.source?.idle?.();
    await this.#options.claims?.idle();
  }

  #admit(use: ThreadUse): ServerEntry {
    const { authorization, registry, refused } = this.#options;
    const refusal = serverUseRefusal(authorization.state, use);
    if (refusal !== null) throw refused(refusal, use);
    const entry = registry.find(use.server);
    if (entry === undefined) throw refused("server-unknown", use);
    return entry;
  }

  async #admitExchange(use: ThreadUse, limit: AbortSignal): Promise<void> {
    const { authorization, refused } = this.#options;
    // someone may have unlocked it, which no marker tells
    if (authorization.state.keyring !== "open") await authorization.grant.read(limit);
    const refusal = exchangeRefusal(authorization.state, use);
    if (refusal !== null) throw refused(refusal, use);
  }

  /** What the failure led to says more than the failure itself, where that ended the use of the server. */
  #explain(error: unknown, use: ThreadUse): unknown {
    if (!(error instanceof EnterpriseError)) return error;
    const refusal = serverUseRefusal(this.#options.authorization.state, use);
    const vague = error.code === "SUPERSEDED" || error.code === "ASSERTION_REFUSED";
    return vague && refusal !== null ? this.#options.refused(refusal, use) : error;
  }

  #find(entry: ServerEntry, wanted: LeaseRequest): HandedLease | null {
    const { authorization, registry, clock } = this.#options;
    const { state, bearers } = authorization;
    const facts = registry.facts(wanted.server);
    const tag = tagOf(state, wanted.server);
    const binding = facts === undefined ? null : bindingOf(entry, { facts, scopes: wanted.scopes, tag });
    const lease = state.leases.find((one) => one.server === wanted.server && one.binding === binding);
    const token = lease === undefined ? undefined : bearers.of(lease.id);
    if (lease === undefined || binding === null || token === undefined) return null;
    const use = { ...wanted, lease: lease.id, binding, now: clock.now() };
    if (leaseUseRefusal(state, use) !== null) return null;
    if (this.#isDue(lease, use.now)) this.#renew(entry, wanted);
    return { lease: lease.id, binding, token };
  }

  /** Whether it is time to renew. Each lease has one time, drawn when it is first looked at. */
  #isDue(lease: LeaseState, now: number): boolean {
    for (const id of this.#renewAt.keys()) {
      if (this.#options.authorization.bearers.of(id) === undefined) this.#renewAt.delete(id);
    }
    const at = this.#renewAt.get(lease.id) ?? renewalTime(lease, this.#options.random());
    this.#renewAt.set(lease.id, at);
    return now >= at;
  }

  /** Gets the successor while the lease is still good. A failure leaves it as it is, to its end. */
  #renew(entry: ServerEntry, wanted: LeaseRequest): void {
    const { authorization, pauses, registry } = this.#options;
    if (exchangeRefusal(authorization.state, wanted) !== null) return;
    if (pauses.refusal(entry, registry.facts(wanted.server)) !== null) return;
    // the state knows of the failure, and the next call that needs a lease meets it
    this.#get(entry, { ...wanted, signal: undefined }).catch(() => undefined);
  }

  #get(entry: ServerEntry, { scopes, stepUp, signal }: LeaseRequest): Promise<void> {
    const { authorization, deadline: seconds } = this.#options;
    const name = JSON.stringify([tagOf(authorization.state, entry.server.name), scopes?.toSorted() ?? null]);
    const make = (limit: AbortSignal): Promise<void> =>
      authorization.pending(limit, (within) => this.#exchange.make({ entry, scopes, stepUp }, within));
    const work = (): Promise<void> => withinSeconds(make, { seconds });
    return this.#flights.join(name, { work, signal });
  }
}
