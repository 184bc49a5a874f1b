/**
 * From a token answer to a sign-in: the ID token's claims are checked and its signature is verified with the keys
 * that the provider publishes. Only then is anything in it believed.
 *
 * Claims by `oauth4webapi` first, then by `core/enterprise/identity.ts`, which also reads the token more strictly
 * (a member that comes twice). OpenID Connect Core 1.0, 3.1.3.7.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { MAX_CLOCK_SKEW } from "../../../core/enterprise/exchange/id_jag_time.ts";
import { readCompactToken } from "../../../core/enterprise/exchange/jwt.ts";
import type { AccountOwner } from "../../../core/enterprise/grant/key.ts";
import { type Identity, readIdentity } from "../../../core/enterprise/identity.ts";
import { refusalError } from "../../../core/enterprise/verdict.ts";
import { nameOf, ownerOf } from "./account.ts";
import { signInFailure } from "./failure.ts";
import type { Session, SignInContext } from "./session.ts";

/** A sign-in that went well. Holds tokens: never print it. */
export interface SignedIn {
  /** The person at the provider. */
  readonly identity: Identity;
  /** Whose account it is, as the ID token says it. */
  readonly owner: AccountOwner;
  /** The name that the person knows it by. It is the provider's text: quote it. */
  readonly name: string;
  /** The ID token. */
  readonly idToken: string;
  /** The refresh token; `null`: none was issued. */
  readonly refreshToken: string | null;
}

/** An answer of the token endpoint, processed by `oauth4webapi`. */
export interface TokenAnswer {
  /** The answer itself. */
  readonly response: Response;
  /** Its processed body. */
  readonly body: oauth.TokenEndpointResponse;
}

/**
 * Verifies the ID token of an answer. Checked in this order: token type, presence, signature, form, issuer, subject,
 * audience, authorized party, expiry, time of issue.
 *
 * @throws {EnterpriseError} `IDENTITY_REFUSED` when the ID token is missing or a check fails.
 * @throws {EnterpriseError} `ASSERTION_REFUSED` when the tokens are bound to a key (DPoP).
 * @throws {EnterpriseError} `DISCOVERY_REFUSED` when the provider publishes no keys.
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the keys cannot be had now.
 */
export async function readSignIn(
  { context, session }: { readonly context: SignInContext; readonly session: Session },
  { response, body }: TokenAnswer,
): Promise<SignedIn> {
  const { what } = session;
  if (body.token_type !== "bearer") {
    throw new EnterpriseError(
      "ASSERTION_REFUSED",
      `Cannot ${what}: its tokens are bound to a key (DPoP), which is not supported. Have that switched off.`,
      { reason: "dpop" },
    );
  }
  if (body.id_token === undefined) {
    const state = "the answer has no ID token. Configure the scope openid";
    throw new EnterpriseError("IDENTITY_REFUSED", `Cannot ${what}: ${state}.`, { reason: "missing" });
  }
  if (session.as.jwks_uri === undefined) {
    const state = "the provider publishes no keys to verify its ID tokens with";
    throw new EnterpriseError("DISCOVERY_REFUSED", `Cannot ${what}: ${state}.`, { reason: "jwks-missing" });
  }
  try {
    await oauth.validateApplicationLevelSignature(session.as, response, session.request);
  } catch (error) {
    throw signInFailure(error, what);
  }
  return readVerified(context, { what, idToken: body.id_token, refreshToken: body.refresh_token ?? null });
}

function readVerified(
  { provider, metadata, clock }: SignInContext,
  { what, idToken, refreshToken }: {
    readonly what: string;
    readonly idToken: string;
    readonly refreshToken: string | null;
  },
): SignedIn {
  const token = readCompactToken(idToken);
  const claims = token.kind === "signed" ? token.claims : null;
  const now = clock.now();
  const options = { issuer: metadata.issuer, clientId: provider.client.clientId, now };
  const identity = readIdentity(claims, options);
  if (!identity.accepted) throw refusalError(identity.refusal, { code: "IDENTITY_REFUSED" });
  const ahead = Math.round(Number(claims?.["iat"]) - now);
  if (!(ahead <= MAX_CLOCK_SKEW)) {
    throw new EnterpriseError(
      "IDENTITY_REFUSED",
      `Cannot ${what}: the ID token was issued ${ahead} s ahead of this machine's clock. Correct the clock.`,
      { reason: "issued-ahead" },
    );
  }
  return {
    identity: identity.value,
    owner: ownerOf(claims),
    name: nameOf(claims) ?? identity.value.subject,
    idToken,
    refreshToken,
  };
}
