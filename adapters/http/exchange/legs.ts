/**
 * The requests that a lease needs, as the tokens see them: where everything is, leg 1, leg 2, a plain refresh, a
 * revocation. Plain data in and out; a test gives its own, `enterprise_legs.ts` the real ones.
 *
 * When which request is made is decided in `leases/lease_exchange.ts` and `grants/grant_work.ts`.
 *
 * @module
 */

import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { SubjectToken } from "../../../core/enterprise/exchange/subject_token.ts";
import type { Registration } from "../../../core/enterprise/grant/key.ts";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import type { ExchangeFacts } from "../discovery/discovery.ts";
import type { ReceivedIdJag } from "./exchange.ts";
import type { Outcome } from "./outcome.ts";
import type { ReceivedAccessToken } from "./redeem.ts";
import type { Revocation } from "./revoke.ts";

/** What is presented at leg 1. */
export interface PresentedSubject {
  /** The type of the subject token. */
  readonly subjectToken: SubjectToken;
  /** The subject token itself. */
  readonly token: string;
  /** The scopes to ask for; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Stores the refresh token that takes the place of the presented one, before anything else is looked at. */
  readonly onRotated: (token: string) => Promise<void>;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** What is redeemed at leg 2. */
export interface PresentedAssertion {
  /** The ID-JAG. */
  readonly assertion: string;
  /** Its scopes; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** A plain refresh. */
export interface PresentedRefresh {
  /** The refresh token. */
  readonly refreshToken: string;
  /** The ID token that a new one must agree with; `null`: none. */
  readonly idToken: string | null;
  /** Whose sign-in it is, as it is stored: a new ID token must be that person's too. `subject` `""`: not known. */
  readonly account: Pick<GrantRecord, "subject" | "user" | "workspace">;
  /** Stores the refresh token that takes the place of the presented one, before anything else is looked at. */
  readonly onRotated: (token: string) => Promise<void>;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** What a plain refresh brought, beside a rotated refresh token. */
export interface RenewedIdToken {
  /** A new ID token, checked against the old one; `null`: none. Behind a function, so that nothing prints it. */
  readonly idToken: (() => string) | null;
  /** When it expires, epoch seconds; `null`: there is none. */
  readonly expiresAt: number | null;
}

/** Makes the requests. */
export interface EnterpriseLegs {
  /**
   * Finds where the tokens of a server come from.
   *
   * @throws {EnterpriseError} `DISCOVERY_REFUSED` when a document is missing, malformed, or names someone else.
   * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when one cannot be read now.
   */
  locate(registration: Registration, signal: AbortSignal): Promise<ExchangeFacts>;
  /** Forgets what was found, so that it is looked for anew. */
  forget(): void;
  /** Leg 1. */
  exchange(
    registration: Registration,
    options: PresentedSubject & { readonly facts: ExchangeFacts },
  ): Promise<Outcome<ReceivedIdJag>>;
  /** Leg 2. */
  redeem(
    registration: Registration,
    options: PresentedAssertion & { readonly facts: ExchangeFacts },
  ): Promise<Outcome<ReceivedAccessToken>>;
  /**
   * A plain refresh at the identity provider.
   *
   * @throws {EnterpriseError} `IDENTITY_REFUSED` when the new ID token is not the same person's.
   */
  refresh(provider: EnterpriseProvider, options: PresentedRefresh): Promise<Outcome<RenewedIdToken>>;
  /** Tries to revoke a refresh token at the identity provider. */
  revoke(
    provider: EnterpriseProvider,
    options: { readonly token: string; readonly signal: AbortSignal },
  ): Promise<Revocation>;
}
