/**
 * The requests that lead to a lease: finding where its token comes from, presenting the sign-in at leg 1, redeeming the
 * ID-JAG at leg 2.
 *
 * Leg 1 is in `present_subject.ts`; what a failure leads to, and whether the token may still be used, is decided by
 * `lease_exchange.ts`.
 *
 * @module
 */

import type { MovedPart } from "../../../core/enterprise/authorization/state.ts";
import { EnterpriseError, type Leg } from "../../../core/enterprise/error.ts";
import type { FailureMeaning } from "../../../core/enterprise/exchange/oauth_error.ts";
import { leaseExpiry } from "../../../core/enterprise/lease.ts";
import type { ClockPort } from "../../../core/ports/clock.ts";
import type { ServerEntry, ServerRegistry } from "../authorization/server_registry.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";
import { movedPart } from "../discovery/moved.ts";
import type { EnterpriseLegs } from "../exchange/legs.ts";
import { type Presenting, SubjectPresenter, type SubjectPresenterOptions } from "./present_subject.ts";
import type { SharedLease } from "./shared_lease.ts";

/** What requests are made with. */
export interface LeaseRequestsOptions extends SubjectPresenterOptions {
  /** The servers. */
  readonly registry: ServerRegistry;
  /** Sends, and respects the pauses. */
  readonly legs: EnterpriseLegs;
  /** Tells the time. */
  readonly clock: ClockPort;
}

/** A request that did not lead on. */
export interface FailedRequest {
  /** At which leg. */
  readonly failed: Leg;
  /** What it means for the sign-in; `null`: nothing. */
  readonly meaning: FailureMeaning | null;
  /** What discovery found elsewhere; absent: nothing. */
  readonly moved?: MovedPart | null;
  /** What a caller is told. */
  readonly error: EnterpriseError;
}

/** Makes the requests of one client of one identity provider. */
export class LeaseRequests {
  /** Presents the sign-in. */
  readonly subject: SubjectPresenter;
  readonly #options: LeaseRequestsOptions;

  /** Works with `options`. */
  constructor(options: LeaseRequestsOptions) {
    this.#options = options;
    this.subject = new SubjectPresenter(options);
  }

  /** Finds where the tokens of a server come from, and whether that is where it was. */
  async locate(
    entry: ServerEntry,
    signal: AbortSignal,
  ): Promise<FailedRequest | { readonly facts: ExchangeFacts }> {
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

  /** Makes both requests. Gives a lease under a fresh name. */
  async get(presenting: Presenting): Promise<FailedRequest | SharedLease> {
    const { legs, clock } = this.#options;
    const { entry, facts, signal } = presenting;
    const first = await this.subject.present(presenting);
    if (!first.succeeded) return { ...first.failure, failed: "token-exchange" };
    const assertion = first.value.token();
    const second = await legs.redeem(entry, { facts, assertion, scopes: first.value.scopes, signal });
    if (!second.succeeded) return { ...second.failure, failed: "redemption" };
    const receivedAt = clock.now();
    const expiresAt = leaseExpiry(receivedAt, second.value.expiresIn);
    return { id: crypto.randomUUID(), token: second.value.token(), receivedAt, expiresAt };
  }
}
