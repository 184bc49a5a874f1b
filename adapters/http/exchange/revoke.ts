/**
 * Revokes a token at the server that issued it, where it offers that. It is tried once and may fail: what is revoked
 * is forgotten here in any case, and whoever signs out is told what could not be done.
 *
 * When tokens are revoked is decided in `core/enterprise/authorization/`. RFC 7009, 2 (August 2013).
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { readOAuthFailure } from "../../../core/enterprise/exchange/oauth_error.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { HttpResponse } from "../../../core/ports/http.ts";
import { readDocument } from "../transport/document.ts";
import { sendAuthenticated, type TokenRequestContext } from "./token_request.ts";

/** What is revoked. `metadata` and `client` are those of the server that issued it. */
export interface RevokeContext extends Omit<TokenRequestContext, "clock"> {
  /** The token. */
  readonly token: string;
  /** What kind of token it is. */
  readonly hint: "refresh_token" | "access_token";
}

/** How a revocation ended. */
export type Revocation =
  /** The server took it. */
  | { readonly kind: "revoked" }
  /** The server offers no revocation. */
  | { readonly kind: "not-offered" }
  /** It was tried, or could not be, and `error` says why not. */
  | { readonly kind: "failed"; readonly error: EnterpriseError };

/** Tries to revoke the token, once. Never rejects with an error of ours: that is the outcome. */
export async function revokeToken(context: RevokeContext): Promise<Revocation> {
  const { metadata, client, token, hint } = context;
  const { revocationEndpoint } = metadata;
  if (revocationEndpoint === null) return { kind: "not-offered" };
  try {
    const response = await sendAuthenticated(context, (authentication, options) =>
      oauth.revocationRequest(
        { issuer: metadata.issuer, revocation_endpoint: revocationEndpoint },
        { client_id: client.clientId },
        authentication,
        token,
        { ...options, additionalParameters: { token_type_hint: hint } },
      ));
    if (response.status === 200) return { kind: "revoked" };
    return { kind: "failed", error: refused(response, metadata.issuer) };
  } catch (error) {
    if (error instanceof EnterpriseError) return { kind: "failed", error };
    throw error;
  }
}

function refused(response: HttpResponse, issuer: string): EnterpriseError {
  const { status, code } = readOAuthFailure(response.status, readDocument(response).value);
  const known = code !== null && code !== "unrecognised";
  const answered = known ? `${code} (${status})` : String(status);
  const message = `Cannot revoke the token at ${quoteUrl(issuer)}: it answered ${answered}`;
  const unavailable = status === 429 || status >= 500;
  const reason = { reason: known ? code : "status" };
  return new EnterpriseError(unavailable ? "TEMPORARILY_UNAVAILABLE" : "CLIENT_REFUSED", message, reason);
}
