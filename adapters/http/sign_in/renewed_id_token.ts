/**
 * A new ID token from a plain refresh: it must be the same person's, for the same client. It comes from the token
 * endpoint itself, over TLS, so its signature is not verified a second time (OpenID Connect Core 1.0, 3.1.3.7, 6).
 *
 * What must stay is decided in `core/enterprise/identity.ts`. OpenID Connect Core 1.0, 12.2.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { checkRenewedIdentity, type Identity, readIdentity } from "../../../core/enterprise/identity.ts";
import { readCompactToken } from "../../../core/enterprise/jwt.ts";
import { refusalError } from "../../../core/enterprise/verdict.ts";
import { ownerOf } from "./account.ts";

/** What the new token is compared with. */
export interface RenewalFacts {
  /** The ID token of the sign-in or of the refresh before. */
  readonly before: string;
  /** `metadata.issuer` of the provider. */
  readonly issuer: string;
  /** Our client id there. */
  readonly clientId: string;
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * The identity in `idToken`, which a refresh brought. Checked in this order: form and signature's presence, its own
 * claims, what must stay of the one before, the workspace.
 *
 * @throws {EnterpriseError} `IDENTITY_REFUSED` when a check fails, or the token before cannot be read.
 */
export function checkRenewedIdToken(
  idToken: string,
  { before, issuer, clientId, now }: RenewalFacts,
): Identity {
  const old = claimsOf(before);
  const claims = claimsOf(idToken);
  const renewed = readIdentity(claims, { issuer, clientId, now });
  if (!renewed.accepted) throw refusalError(renewed.refusal, { code: "IDENTITY_REFUSED" });
  // the old one may have expired: that is why there is a new one
  const known = readIdentity(old, { issuer, clientId, now: 0 });
  if (!known.accepted) throw refusalError(known.refusal, { code: "IDENTITY_REFUSED" });
  const verdict = checkRenewedIdentity(known.value, renewed.value);
  if (!verdict.accepted) throw refusalError(verdict.refusal, { code: "IDENTITY_REFUSED" });
  if (ownerOf(old).workspace !== ownerOf(claims).workspace) {
    throw new EnterpriseError("IDENTITY_REFUSED", "Cannot use the renewed ID token: its workspace changed", {
      reason: "workspace",
    });
  }
  return verdict.value;
}

function claimsOf(idToken: string): Readonly<Record<string, unknown>> {
  const token = readCompactToken(idToken);
  const unsigned = token.kind === "signed" && (!token.signed || token.header["alg"] === "none");
  if (token.kind === "signed" && !unsigned) return token.claims;
  throw new EnterpriseError(
    "IDENTITY_REFUSED",
    `Cannot use the renewed ID token: it is ${unsigned ? "not signed" : "no signed token"}`,
    { reason: "malformed" },
  );
}
