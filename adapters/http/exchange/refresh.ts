/**
 * A plain refresh at the identity provider: gets a fresh ID token, and tells whether a grant in doubt still stands. A
 * rotated refresh token is stored before anything else of the answer is looked at.
 *
 * A fresh ID token is handed on as it came: whether it is still the same person's is decided in
 * `core/enterprise/identity.ts`. That requests with a refresh token wait for each other is the caller's.
 * RFC 6749, 6; OpenID Connect Core 1.0, 12.
 *
 * @module
 */

import { rotatedRefreshToken } from "../../../core/enterprise/exchange/token_exchange.ts";
import { refuse } from "../../../core/enterprise/verdict.ts";
import { isJsonObject, ownProperty } from "../../../core/json/value.ts";
import { attempt } from "./_attempt.ts";
import { type Outcome, refusedBy, refusedContent, type RequestFacts, succeed } from "./outcome.ts";
import { tokenRequest, type TokenRequestContext } from "./token_request.ts";

/** What is refreshed. `metadata` and `client` are the identity provider's. */
export interface RefreshContext extends TokenRequestContext {
  /** The refresh token. */
  readonly refreshToken: string;
  /**
   * Stores the refresh token that takes the place of the presented one. Awaited before anything else is looked at;
   * what it throws, `refreshGrant` throws.
   */
  readonly onRotated: (token: string) => Promise<void>;
}

/** What a refresh brought. The access token in the answer is dropped. */
export interface RefreshedGrant {
  /** The new ID token, not checked yet; `null`: there is none. Behind a function, so that nothing prints it. */
  readonly idToken: (() => string) | null;
  /** Whether the refresh token was rotated. */
  readonly rotated: boolean;
  /** When the answer was received, epoch seconds. */
  readonly receivedAt: number;
}

/**
 * Makes the refresh, once. A refusal or an outage is an outcome with its meaning at leg 1.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when the client's credential is missing or unreadable.
 */
export async function refreshGrant(context: RefreshContext): Promise<Outcome<RefreshedGrant>> {
  const { metadata, refreshToken, onRotated } = context;
  const facts: RequestFacts = {
    leg: "token-exchange",
    action: "refresh the sign-in",
    issuer: metadata.issuer,
    scoped: false,
  };
  const parameters = [["grant_type", "refresh_token"], ["refresh_token", refreshToken]] as const;
  const { answer, outcome } = await attempt(() => tokenRequest(parameters, context), facts);
  if (answer === null) return outcome;
  const succeeded = answer.status >= 200 && answer.status <= 299;
  const brought = succeeded ? rotatedRefreshToken(answer.anyDocument) : null;
  const rotated = brought !== null && brought !== refreshToken;
  if (rotated) await onRotated(brought);
  const { kind, value } = answer.document;
  if (answer.status !== 200 || kind !== "json") return refusedBy(answer, facts);
  const idToken = ownProperty(value, "id_token");
  if (!isJsonObject(value) || idToken !== undefined && typeof idToken !== "string") {
    const message = "Cannot use the answer of the identity provider: it is no answer to a refresh";
    return refusedContent(refuse(["malformed", "RFC 6749, 5.1"], message).refusal, facts);
  }
  const token = idToken === undefined || idToken === "" ? null : idToken;
  return succeed({ idToken: token === null ? null : () => token, rotated, receivedAt: answer.now });
}

/** What a refresh says about the grant behind it. */
export type ProbeOutcome = "refused" | "standing" | "unavailable";

/**
 * What the outcome of a refresh says about the grant: only `invalid_grant` says that it ended, and an outage says
 * nothing. Any other refusal is about the client or the server, and the grant stands as far as anyone knows.
 */
export function probeOutcome(outcome: Outcome<RefreshedGrant>): ProbeOutcome {
  if (outcome.succeeded) return "standing";
  const { meaning, oauth } = outcome.failure;
  if (meaning === "unavailable") return "unavailable";
  return meaning === "grant-in-doubt" && oauth?.code === "invalid_grant" ? "refused" : "standing";
}
