/**
 * Leg 1: exchanges the subject token for an ID-JAG at the identity provider. A refresh token that the answer brings in
 * place of the one that was presented is stored before anything else of the answer is looked at.
 *
 * Parameters and checks are `core/enterprise/exchange/token_exchange.ts`'s and
 * `core/enterprise/exchange/id_jag.ts`'s; which token is presented, and that requests with a refresh token wait for
 * each other, is the caller's. RFC 8693, 2; ID-JAG (draft
 * -04), 4.3.
 *
 * @module
 */

import { checkIdJag } from "../../../core/enterprise/exchange/id_jag.ts";
import type { SubjectToken } from "../../../core/enterprise/exchange/subject_token.ts";
import {
  readExchangeAnswer,
  rotatedRefreshToken,
  tokenExchangeParameters,
} from "../../../core/enterprise/exchange/token_exchange.ts";
import type { Note } from "../../../core/enterprise/verdict.ts";
import { ownProperty } from "../../../core/json/value.ts";
import { attempt } from "./_attempt.ts";
import { type Outcome, refusedBy, refusedContent, type RequestFacts, succeed } from "./outcome.ts";
import { type TokenAnswer, tokenRequest, type TokenRequestContext } from "./token_request.ts";

/** What is exchanged, and for what. `metadata` and `client` are the identity provider's. */
export interface ExchangeContext extends TokenRequestContext {
  /** Type of the subject token. */
  readonly subjectToken: SubjectToken;
  /** The subject token itself. */
  readonly token: string;
  /** `metadata.issuer` of the authorization server. */
  readonly audience: string;
  /** The resource identifier of the MCP server. */
  readonly resource: string;
  /** The client id that will redeem the ID-JAG. */
  readonly redeemerId: string;
  /** The scopes to ask for; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** Whether an ID-JAG without a `resource` claim is accepted. */
  readonly allowMissingResource: boolean;
  /**
   * Stores the refresh token that takes the place of the presented one. Awaited before anything else is looked at;
   * what it throws, `requestIdJag` throws. Not called when an ID token was presented.
   */
  readonly onRotated: (token: string) => Promise<void>;
}

/** An ID-JAG that was accepted. The tokens are behind functions, so that nothing prints them by accident. */
export interface ReceivedIdJag {
  /** The ID-JAG, to be redeemed once, at once. */
  readonly token: () => string;
  /** The scopes to ask for at leg 2; `null`: none. */
  readonly scopes: readonly string[] | null;
  /** When it expires, epoch seconds; `null`: not known. */
  readonly expiresAt: number | null;
  /** Whether it is encrypted, and only the answer was checked. */
  readonly opaque: boolean;
  /** What was unusual. */
  readonly notes: readonly Note[];
}

/**
 * Makes the exchange, once. A refusal, an outage or an unacceptable ID-JAG is an outcome with its meaning.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the client's credential is missing or unreadable.
 */
export async function requestIdJag(context: ExchangeContext): Promise<Outcome<ReceivedIdJag>> {
  const { metadata, audience, resource, scopes, onRotated } = context;
  const facts: RequestFacts = {
    leg: "token-exchange",
    action: "exchange the sign-in",
    issuer: metadata.issuer,
    audience,
    resource,
    scoped: scopes !== null && scopes.length > 0,
  };
  const { answer, outcome } = await attempt(
    () => tokenRequest(tokenExchangeParameters(context), context),
    facts,
  );
  if (answer === null) return outcome;
  const rotated = rotatedOf(answer, context);
  if (rotated !== null) await onRotated(rotated);
  if (answer.status !== 200) return refusedBy(answer, facts);
  if (answer.document.kind !== "json") return refusedBy(answer, facts);
  return readIdJag(answer, { context, facts });
}

interface Reading {
  readonly context: ExchangeContext;
  readonly facts: RequestFacts;
}

function readIdJag(answer: TokenAnswer, { context, facts }: Reading): Outcome<ReceivedIdJag> {
  const response = answer.document.value;
  const read = readExchangeAnswer(response);
  if (!read.accepted) return refusedContent(read.refusal, facts);
  const token = String(ownProperty(response, "access_token"));
  const checked = checkIdJag(token, {
    issuer: context.metadata.issuer,
    audience: context.audience,
    resource: context.resource,
    clientId: context.redeemerId,
    scopes: context.scopes,
    allowMissingResource: context.allowMissingResource,
    answer: read.value,
    now: answer.now,
    serverNow: answer.serverNow,
  });
  if (!checked.accepted) return refusedContent(checked.refusal, facts);
  const { scopes, expiresAt, opaque } = checked.value;
  const notes = [...read.notes, ...checked.notes];
  return succeed({ token: () => token, scopes, expiresAt, opaque, notes });
}

/** The refresh token that takes the place of the presented one; `null`: the presented one stays. */
function rotatedOf({ status, anyDocument }: TokenAnswer, context: ExchangeContext): string | null {
  if (context.subjectToken !== "refresh_token" || status < 200 || status > 299) return null;
  const token = rotatedRefreshToken(anyDocument);
  return token === context.token ? null : token;
}
