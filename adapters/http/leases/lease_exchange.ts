/**
 * Makes a lease: has the requests made, or takes the lease that another process got where leases are shared, commits
 * it and reports how it went. A failure is reported with the tag that was taken before anything was sent, so that what
 * came too late is dropped.
 *
 * When a lease is needed is decided in `leases.ts`; what a failure means in
 * `core/enterprise/exchange/oauth_error.ts`, what it does in `core/enterprise/authorization/`; the requests are in
 * `lease_requests.ts`, whose turn it is to make them in `shared_lease_claims.ts`.
 *
 * @module
 */

import { serverOf } from "../../../core/enterprise/authorization/state.ts";
import { type CommitTag, tagOf } from "../../../core/enterprise/authorization/tag.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { leaseKey } from "../../../core/enterprise/lease.ts";
import type { ServerEntry } from "../authorization/server_registry.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";
import { type FailedRequest, LeaseRequests, type LeaseRequestsOptions } from "./lease_requests.ts";
import type { PresentedToken } from "./present_subject.ts";
import type { RetryAfter } from "./retry_after.ts";
import type { SharedLease } from "./shared_lease.ts";
import type { SharedLeaseClaims } from "./shared_lease_claims.ts";

/** What an exchange works with. */
export interface LeaseExchangeOptions extends LeaseRequestsOptions {
  /** Which endpoints are left alone for a while. */
  readonly pauses: RetryAfter;
  /** Leases of other processes; absent: none are shared. */
  readonly claims?: SharedLeaseClaims | undefined;
}

/** What is wanted. */
export interface LeaseTarget {
  /** The server. */
  readonly entry: ServerEntry;
  /** The scopes to ask for; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Whether a challenge asked for these scopes. A refusal is then about them, and blocks nothing. */
  readonly stepUp: boolean;
}

/** Makes leases of one client of one identity provider. */
export class LeaseExchange {
  readonly #options: LeaseExchangeOptions;
  readonly #requests: LeaseRequests;

  /** Works with `options`. */
  constructor(options: LeaseExchangeOptions) {
    this.#options = options;
    this.#requests = new LeaseRequests(options);
  }

  /**
   * Makes a lease and commits it. An ID-JAG that was refused is tried once more with a fresh one; an ID token that
   * the identity provider no longer takes is renewed once.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when something changed meanwhile; any other code is the refusal's.
   */
  async make(target: LeaseTarget, signal: AbortSignal): Promise<void> {
    const { authorization } = this.#options;
    const { name } = target.entry.server;
    for (let renewed = false;;) {
      const making = { tag: tagOf(authorization.state, name), trace: { idToken: null }, signal };
      const failure = await this.#make(target, making);
      if (failure === null) return;
      const next = await this.#report(failure, { ...making, target });
      if (next === "end" || next === "renewed" && renewed) throw failure.error;
      if (next === "again") continue;
      renewed = true;
      authorization.dispatch({ kind: "server-retried", server: name });
    }
  }

  async #make(target: LeaseTarget, making: Making): Promise<FailedRequest | null> {
    const { pauses, registry, claims } = this.#options;
    const { entry, scopes } = target;
    const { name } = entry.server;
    // what another process got may be had while an endpoint is left alone
    const paused = claims === undefined ? pauses.refusal(entry, registry.facts(name)) : null;
    if (paused !== null) return { ...paused.failure, failed: paused.leg };
    const found = await this.#requests.locate(entry, making.signal);
    if ("failed" in found) return found;
    const { facts } = found;
    const binding = bindingOf(entry, { facts, scopes, tag: making.tag });
    const { generation } = making.tag;
    if (binding === null || generation === null) throw superseded(name);
    const getting = { ...making, facts, binding };
    if (claims !== undefined) return await this.#share(claims, { target, getting, generation });
    const got = await this.#requests.get({ ...target, ...getting });
    if (!("failed" in got)) this.#commit(got, { name, ...getting });
    return "failed" in got ? got : null;
  }

  /** Takes what another process got, or gets it for all. */
  async #share(
    claims: SharedLeaseClaims,
    { target, getting, generation }: {
      readonly target: LeaseTarget;
      readonly getting: Getting;
      readonly generation: string;
    },
  ): Promise<FailedRequest | null> {
    const { name } = target.entry.server;
    const { binding, signal } = getting;
    const place = { binding, generation };
    const { authorization } = this.#options;
    const held = authorization.state.leases.find((one) => one.server === name && one.binding === binding);
    // Another refusal blocks the server, and must be one of a token that this process got itself: one of another
    // process may be older, whatever its clock says.
    const isDoubted = (): boolean =>
      serverOf(authorization.state, name)?.bearerRefused.includes(binding) ?? false;
    let turn = await claims.take(place, { held: held?.id ?? null, own: isDoubted(), signal });
    if (turn.lease !== null && isDoubted()) {
      turn = await claims.take(place, { held: null, own: true, signal }); // it was refused meanwhile
    }
    let shared: SharedLease | null = null;
    try {
      const got = turn.lease ?? await this.#requests.get({ ...target, ...getting });
      if ("failed" in got) return got;
      const id = this.#commit(got, { name, ...getting });
      claims.use(id, { place, server: name, id: got.id, expiresAt: got.expiresAt });
      shared = got;
      return null;
    } finally {
      turn.done(shared);
    }
  }

  /** Commits a token, and says under which name of this process. */
  #commit(
    { token, receivedAt, expiresAt }: SharedLease,
    { name, tag, binding }: Pick<Getting, "tag" | "binding"> & { readonly name: string },
  ): string {
    const { authorization } = this.#options;
    const lease = { id: crypto.randomUUID(), server: name, binding, receivedAt, expiresAt };
    const effects = authorization.dispatch({ kind: "lease-ready", tag, lease });
    if (effects.some(({ kind }) => kind === "discard")) throw superseded(name);
    authorization.bearers.keep(lease.id, token);
    return lease.id;
  }

  /** Reports a failure, waits for what it leads to, and says whether to go on. */
  async #report(
    { failed: leg, meaning, moved = null }: FailedRequest,
    { target, tag, trace, signal }: Making & { readonly target: LeaseTarget },
  ): Promise<"again" | "renewed" | "end"> {
    const { authorization } = this.#options;
    const server = target.entry.server.name;
    if (moved !== null) authorization.dispatch({ kind: "server-moved", server, what: moved });
    if (meaning === null || target.stepUp && (meaning === "scope" || meaning === "administrator")) {
      return "end";
    }
    const effects = authorization.dispatch({ kind: "request-failed", tag, server, leg, meaning });
    if (effects.some(({ kind }) => kind === "discard")) throw superseded(server);
    if (effects.some(({ kind }) => kind === "exchange-again")) return "again";
    await authorization.settled();
    return meaning === "grant-in-doubt" && await this.#requests.subject.wasRenewed(trace, signal)
      ? "renewed"
      : "end";
  }
}

interface Making {
  readonly tag: CommitTag;
  readonly trace: PresentedToken;
  readonly signal: AbortSignal;
}

interface Getting extends Making {
  readonly facts: ExchangeFacts;
  readonly binding: string;
}

/** Name of the lease that a request leads to; `null` when nobody is signed in. */
export function bindingOf(
  { server }: ServerEntry,
  { facts, scopes, tag: { owner, generation } }: {
    readonly facts: ExchangeFacts;
    readonly scopes: readonly string[] | null;
    readonly tag: Pick<CommitTag, "owner" | "generation">;
  },
): string | null {
  if (owner === null || generation === null) return null;
  const { url: endpoint, client: { clientId } } = server;
  const { resource, authorizationServer: { issuer } } = facts;
  return leaseKey({ grantKey: owner, generation, endpoint, issuer, clientId, resource, scopes });
}

/** Something changed while a request ran, and its result was dropped. */
export function superseded(name: string): EnterpriseError {
  return new EnterpriseError(
    "SUPERSEDED",
    `Cannot use the new access token for the server "${name}": something changed meanwhile`,
  );
}
