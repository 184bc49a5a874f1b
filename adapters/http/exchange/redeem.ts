/**
 * Leg 2: redeems an ID-JAG for an access token at the authorization server, once. A refresh token in the answer is
 * dropped.
 *
 * Parameters and checks are `core/enterprise/exchange/redemption.ts`'s; how long the token is kept is decided in
 * `core/enterprise/lease.ts`. RFC 7523, 2.1; ID-JAG (draft -04), 4.4.
 *
 * @module
 */

import { readRedemptionAnswer, redemptionParameters } from "../../../core/enterprise/exchange/redemption.ts";
import type { Note } from "../../../core/enterprise/verdict.ts";
import { ownProperty } from "../../../core/json/value.ts";
import { attempt } from "./_attempt.ts";
import { type Outcome, refusedBy, refusedContent, type RequestFacts, succeed } from "./outcome.ts";
import { tokenRequest, type TokenRequestContext } from "./token_request.ts";

/** What is redeemed. `metadata` and `client` are the authorization server's. */
export interface RedeemContext extends TokenRequestContext {
  /** The ID-JAG. */
  readonly assertion: string;
  /** The resource identifier, the same as at leg 1. */
  readonly resource: string;
  /** The scopes of the ID-JAG; `null`: none is sent, and any is accepted. */
  readonly scopes: readonly string[] | null;
}

/** An access token that was accepted. It is behind a function, so that nothing prints it by accident. */
export interface ReceivedAccessToken {
  /** The access token. */
  readonly token: () => string;
  /** Its scopes; `null`: not known. */
  readonly scopes: readonly string[] | null;
  /** Seconds that it lives; `null`: not said. */
  readonly expiresIn: number | null;
  /** When it was received, epoch seconds. */
  readonly receivedAt: number;
  /** What was unusual. */
  readonly notes: readonly Note[];
}

/**
 * Redeems the ID-JAG, once. A refusal, an outage or an unacceptable token is an outcome with its meaning.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the client's credential is missing or unreadable.
 */
export async function redeemIdJag(context: RedeemContext): Promise<Outcome<ReceivedAccessToken>> {
  const { metadata, resource, scopes } = context;
  const facts: RequestFacts = {
    leg: "redemption",
    action: "redeem the ID-JAG",
    issuer: metadata.issuer,
    resource,
    scoped: scopes !== null && scopes.length > 0,
  };
  const { answer, outcome } = await attempt(
    () => tokenRequest(redemptionParameters(context), context),
    facts,
  );
  if (answer === null) return outcome;
  if (answer.status !== 200 || answer.document.kind !== "json") return refusedBy(answer, facts);
  const read = readRedemptionAnswer(answer.document.value, { scopes, resource });
  if (!read.accepted) return refusedContent(read.refusal, facts);
  const token = String(ownProperty(answer.document.value, "access_token"));
  return succeed({ token: () => token, ...read.value, receivedAt: answer.now, notes: read.notes });
}
