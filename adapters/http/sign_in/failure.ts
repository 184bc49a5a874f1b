/**
 * What went wrong in a sign-in, as an error of this package. An error of `oauth4webapi` or of `fetch` carries the
 * answer, with tokens in it: its name and code are kept, nothing else of it.
 *
 * Refusals of the two legs of an exchange have meanings of their own: `core/enterprise/exchange/oauth_error.ts`.
 * OpenID Connect Core 1.0, 3.1.2.6; RFC 6749, 4.1.2.1 and 5.2; RFC 8628, 3.5.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../core/enterprise/error.ts";
import { readOAuthFailure } from "../../../core/enterprise/exchange/oauth_error.ts";
import { quote } from "../../../core/errors.ts";
import { redactError } from "../transport/redact.ts";

/** Codes of a refused sign-in that are repeated to people, and what each becomes. */
const CODES: Readonly<Record<string, readonly [code: EnterpriseErrorCode, state: string]>> = {
  access_denied: ["ADMINISTRATOR_REFUSED", "it was denied, by the person or by a policy"],
  login_required: ["SIGN_IN_REQUIRED", "the identity provider asks the person to sign in there"],
  interaction_required: ["SIGN_IN_REQUIRED", "the identity provider asks the person to answer there"],
  consent_required: ["SIGN_IN_REQUIRED", "the identity provider asks the person to agree there"],
  account_selection_required: ["SIGN_IN_REQUIRED", "the identity provider asks which account it is"],
  insufficient_user_authentication: ["STRONGER_SIGN_IN_REQUIRED", "a stronger authentication is asked for"],
  expired_token: ["SIGN_IN_REQUIRED", "nobody answered in time. Begin again"],
  invalid_grant: [
    "SIGN_IN_REQUIRED",
    "what was presented is expired, used up or another client's. Sign in again",
  ],
  invalid_client: [
    "CLIENT_REFUSED",
    "the client registration is refused. Check client_id, secret and method",
  ],
  unauthorized_client: ["CLIENT_REFUSED", "this client may not sign in this way. Ask the administrator"],
  unsupported_response_type: [
    "CLIENT_REFUSED",
    "this client may not sign in this way. Ask the administrator",
  ],
  unsupported_grant_type: ["CLIENT_REFUSED", "this client may not sign in this way. Ask the administrator"],
  invalid_scope: ["SCOPE_REFUSED", "the scopes are refused. Configure scopes of the identity provider"],
  invalid_request: ["CLIENT_REFUSED", "the request is refused. Check the redirect URI of the registration"],
};

const STATES: Readonly<Record<string, string>> = {
  iss: "the issuer of the ID token is another",
  aud: "the ID token is for another client. Sign in with the client that exchanges",
  azp: "the authorized party of the ID token is another client",
  nonce: "the nonce of the ID token is not the one that was sent",
  exp: "the ID token has expired. If it is new, the clock of this machine or of the provider is off",
  nbf: "the ID token is not valid yet. The clock of this machine or of the provider is off",
};

/** The error for `error`, which ended what `what` says (`sign in at "https://idp.example"`). */
export function signInFailure(error: unknown, what: string): EnterpriseError {
  if (error instanceof EnterpriseError) return error;
  const cause = redactError(error);
  const fail = (code: EnterpriseErrorCode, state: string, reason?: string): EnterpriseError =>
    new EnterpriseError(code, `Cannot ${what}: ${state}.`, {
      cause,
      ...(reason === undefined ? {} : { reason }),
    });
  if (error instanceof oauth.AuthorizationResponseError) return refused(error.error, { status: 400, fail });
  if (error instanceof oauth.ResponseBodyError) return refused(error.error, { status: error.status, fail });
  const status = statusOf(error);
  if (status !== null && (status >= 500 || status === 429 || status === 408)) {
    return fail(
      "TEMPORARILY_UNAVAILABLE",
      `the identity provider answers with status ${status}. Try again later`,
    );
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return fail("CLIENT_REFUSED", "the client registration is refused. Check client_id, secret and method");
  }
  if (status !== null) {
    const state = status >= 300 && status < 400
      ? "a redirect, which is never followed"
      : "no answer of a sign-in";
    return fail(
      "DISCOVERY_REFUSED",
      `the endpoint gives ${state} (status ${status}). Check the issuer`,
      "status",
    );
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    return ofProcessing(error, fail);
  }
  return fail("TEMPORARILY_UNAVAILABLE", "the request could not be completed. Try again later");
}

type Fail = (code: EnterpriseErrorCode, state: string, reason?: string) => EnterpriseError;

function refused(
  text: string,
  { status, fail }: { readonly status: number; readonly fail: Fail },
): EnterpriseError {
  const known = Object.hasOwn(CODES, text) ? CODES[text] : undefined;
  if (status >= 500 || status === 429 || ["server_error", "temporarily_unavailable"].includes(text)) {
    return fail("TEMPORARILY_UNAVAILABLE", "the identity provider is not available now. Try again later");
  }
  if (known !== undefined) return fail(known[0], `${known[1]} (${text})`, text);
  const { code } = readOAuthFailure(status, { error: text });
  return fail(
    "ASSERTION_REFUSED",
    `the identity provider refuses (${code ?? "without a code"})`,
    code ?? "none",
  );
}

function ofProcessing(
  error: oauth.OperationProcessingError | oauth.UnsupportedOperationError,
  fail: Fail,
): EnterpriseError {
  const { code } = error;
  const claim: unknown = typeof error.cause === "object" && error.cause !== null
    ? Reflect.get(error.cause, "claim")
    : undefined;
  if (typeof claim === "string" && Object.hasOwn(STATES, claim)) {
    return fail("IDENTITY_REFUSED", STATES[claim] ?? "", claim);
  }
  if (code === oauth.KEY_SELECTION) {
    return fail("IDENTITY_REFUSED", "no published key of the provider fits the ID token", "signature");
  }
  if (/signature verification/.test(error.message)) {
    return fail("IDENTITY_REFUSED", "the signature of the ID token is wrong", "signature");
  }
  if (/\b(JWT|JWE|JWS|ID Token|id_token)\b/.test(error.message)) {
    return fail(
      "IDENTITY_REFUSED",
      "the ID token is missing, malformed or of a kind that is not accepted",
      "malformed",
    );
  }
  if (code === oauth.UNSUPPORTED_OPERATION) {
    return fail("ASSERTION_REFUSED", "the answer is of a kind that is not supported", "unsupported");
  }
  const parameter = ["state", "iss"].find((name) => error.message.includes(`"${name}"`)) ??
    (error.message.includes("authorization code") ? "code" : null);
  if (parameter === null) return fail("ASSERTION_REFUSED", "the answer is malformed", "malformed");
  const state = `the callback is not the answer to this sign-in (${parameter}). Begin again`;
  return fail("ASSERTION_REFUSED", state, parameter);
}

/** The status of an answer that is not what it should be; `null` when the error is about something else. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.status;
  const cause: unknown = error.cause;
  return cause instanceof Response && cause.status !== 200 ? cause.status : null;
}

/** `sign in at "<issuer>"`, for messages. */
export function signingInAt(issuer: string): string {
  return `sign in at ${quote(issuer)}`;
}
