/**
 * Makes a lease: finds where, presents the sign-in at leg 1, redeems the ID-JAG at leg 2, reports how it went. A
 * failure is reported with the tag that was taken before anything was sent, so that what came too late is dropped.
 *
 * When a lease is needed is decided in `lease_desk.ts`; what a failure means in `core/enterprise/exchange/oauth_error.ts`, what
 * it does in `core/enterprise/authorization/`; leg 1 is in `present_subject.ts`.
 *
 * @module
 */

import type { MovedPart } from "../../../core/enterprise/authorization/state.ts";
import { type CommitTag, tagOf } from "../../../core/enterprise/authorization/tag.ts";
import { EnterpriseError, type Leg } from "../../../core/enterprise/error.ts";
import { leaseExpiry, leaseKey } from "../../../core/enterprise/lease.ts";
import type { FailureMeaning } from "../../../core/enterprise/exchange/oauth_error.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { Authorization } from "../tokens/authorization.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";
import type { EnterpriseLegs } from "../exchange/legs.ts";
import { movedPart } from "../discovery/moved.ts";
import type { Pauses } from "./pauses.ts";
import { type PresentedToken, SubjectPresenter } from "./present_subject.ts";
import type { ServerEntry, ServerRegistry } from "../tokens/server_registry.ts";

/** What a maker works with. */
export interface LeaseMakerOptions {
  /** The state, the grant and the tokens. */
  readonly authorization: Authorization;
  /** The servers. */
  readonly registry: ServerRegistry;
  /** Sends, and respects the pauses. */
  readonly legs: EnterpriseLegs;
  /** Which endpoints are left alone for a while. */
  readonly pauses: Pauses;
  /** Tells the time. */
  readonly clock: ClockPort;
}

/** What is wanted. */
export interface LeaseWish {
  /** The server. */
  readonly entry: ServerEntry;
  /** The scopes to ask for; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Whether a challenge asked for these scopes. A refusal is then about them, and blocks nothing. */
  readonly stepUp: boolean;
}

/** Makes leases of one client of one identity provider. */
export class LeaseMaker {
  readonly #options: LeaseMakerOptions;
  readonly #subject: SubjectPresenter;

  /** Works with `options`. */
  constructor(options: LeaseMakerOptions) {
    this.#options = options;
    this.#subject = new SubjectPresenter(options);
  }

  /**
   * Makes a lease and commits it. An ID-JAG that was refused is tried once more with a fresh one; an ID token that
   * the identity provider no longer takes is renewed once.
   *
   * @throws {EnterpriseError} `SUPERSEDED` when something changed meanwhile; any other code is the refusal's.
   */
  async make(wish: LeaseWish, signal: AbortSignal): Promise<void> {
    const { authorization } = this.#options;
    const { name } = wish.entry.server;
    for (let renewed = false;;) {
      const making = { tag: tagOf(authorization.state, name), trace: { idToken: null }, signal };
      const failure = await this.#make(wish, making);
      if (failure === null) return;
      const next = await this.#report(failure, { ...making, wish });
      if (next === "end" || next === "renewed" && renewed) throw failure.error;
      if (next === "again") continue;
      renewed = true;
      authorization.dispatch({ kind: "server-retried", server: name });
    }
  }

  async #make(wish: LeaseWish, { tag, trace, signal }: Making): Promise<Failed | null> {
    const { authorization, legs, clock, pauses, registry } = this.#options;
    const { entry, scopes } = wish;
    const { name } = entry.server;
    const paused = pauses.refusal(entry, registry.facts(name));
    if (paused !== null) return { ...paused.failure, failed: paused.leg };
    const found = await this.#locate(entry, signal);
    if ("failed" in found) return found;
    const { facts } = found;
    const first = await this.#subject.present({ entry, facts, scopes, trace, signal });
    if (!first.succeeded) return { ...first.failure, failed: "token-exchange" };
    const second = await legs.redeem(entry, {
      facts,
      assertion: first.value.token(),
      scopes: first.value.scopes,
      signal,
    });
    if (!second.succeeded) return { ...second.failure, failed: "redemption" };
    const receivedAt = clock.now();
    const binding = bindingOf(entry, { facts, scopes, tag });
    if (binding === null) throw superseded(name);
    const expiresAt = leaseExpiry(receivedAt, second.value.expiresIn);
    const lease = { id: crypto.randomUUID(), server: name, binding, receivedAt, expiresAt };
    const effects = authorization.dispatch({ kind: "lease-ready", tag, lease });
    if (effects.some(({ kind }) => kind === "discard")) throw superseded(name);
    authorization.bearers.keep(lease.id, second.value.token());
    return null;
  }

  async #locate(
    entry: ServerEntry,
    signal: AbortSignal,
  ): Promise<Failed | { readonly facts: ExchangeFacts }> {
    const { registry, legs } = this.#options;
    const { name } = entry.server;
    try {
      const facts = await legs.locate(entry, signal);
      const moved = registry.keep(name, facts);
      if (moved === null) return { facts };
      const message = `Cannot use the server "${name}": its ${moved} is not where it was`;
      const error = new EnterpriseError("DISCOVERY_REFUSED", message, { reason: `${moved}-moved` });
      return { failed: "token-exchange", meaning: null, moved, error };
    } catch (error) {
      if (!(error instanceof EnterpriseError)) throw error;
      const meaning = error.code === "TEMPORARILY_UNAVAILABLE" ? "unavailable" : null;
      // a server that never worked has not moved
      const moved = registry.facts(name) === undefined ? null : movedPart(error);
      return { failed: "token-exchange", meaning, moved, error };
    }
  }

  /** Reports a failure, waits for what it leads to, and says whether to go on. */
  async #report(
    { failed: leg, meaning, moved = null }: Failed,
    { wish, tag, trace, signal }: Making & { readonly wish: LeaseWish },
  ): Promise<"again" | "renewed" | "end"> {
    const { authorization } = this.#options;
    const server = wish.entry.server.name;
    if (moved !== null) authorization.dispatch({ kind: "server-moved", server, what: moved });
    if (meaning === null || wish.stepUp && (meaning === "scope" || meaning === "administrator")) return "end";
    const effects = authorization.dispatch({ kind: "request-failed", tag, server, leg, meaning });
    if (effects.some(({ kind }) => kind === "discard")) throw superseded(server);
    if (effects.some(({ kind }) => kind === "exchange-again")) return "again";
    await authorization.settled();
    return meaning === "grant-in-doubt" && await this.#subject.wasRenewed(trace, signal) ? "renewed" : "end";
  }
}

interface Making {
  readonly tag: CommitTag;
  readonly trace: PresentedToken;
  readonly signal: AbortSignal;
}

/** A request that did not lead on. */
interface Failed {
  /** At which leg. */
  readonly failed: Leg;
  /** What it means for the sign-in; `null`: nothing. */
  readonly meaning: FailureMeaning | null;
  /** What discovery found elsewhere; absent: nothing. */
  readonly moved?: MovedPart | null;
  /** What a caller is told. */
  readonly error: EnterpriseError;
}

/** Name of the lease that a wish leads to; `null` when nobody is signed in. */
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
