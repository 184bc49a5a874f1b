/**
 * A new ID token from a plain refresh: it must be the same person's, for the same client. It comes from the token
 * endpoint itself, over TLS, so its signature is not verified a second time (OpenID Connect Core 1.0, 3.1.3.7, 6).
 *
 * What must stay is decided in `core/enterprise/identity.ts`. OpenID Connect Core 1.0, 12.2.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { readCompactToken } from "../../../core/enterprise/exchange/jwt.ts";
import {
  checkRenewedIdentity,
  checkRenewedSubject,
  type Identity,
  type IdentityReason,
  readIdentity,
} from "../../../core/enterprise/identity.ts";
import { refusalError, type Verdict } from "../../../core/enterprise/verdict.ts";
import { ownerOf } from "./account.ts";

/** Whose sign-in is renewed, as it was stored. */
export interface RenewedAccount {
  /** The person, as the ID token of the sign-in named them; `""`: not known. */
  readonly subject: string;
  /** The user of the account: the same, unless the host says whose account it is. */
  readonly user: string;
  /** The workspace of the account; `null`: none. */
  readonly workspace: string | null;
}

/** What the new token is compared with. */
export interface RenewalFacts {
  /** The ID token of the sign-in or of the refresh before; `null`: none was kept. */
  readonly before: string | null;
  /** Whose sign-in it is. */
  readonly account: RenewedAccount;
  /** `metadata.issuer` of the provider. */
  readonly issuer: string;
  /** Our client id there. */
  readonly clientId: string;
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * The identity in `idToken`, which a refresh brought. Checked in this order: form and signature's presence, its own
 * claims, the person, what must stay of the one before, the workspace.
 *
 * @throws {EnterpriseError} `IDENTITY_REFUSED` when a check fails, or the token before cannot be read.
 */
export function checkRenewedIdToken(
  idToken: string,
  { before, account, issuer, clientId, now }: RenewalFacts,
): Identity {
  const old = before === null ? null : claimsOf(before);
  const claims = claimsOf(idToken);
  const renewed = accepted(readIdentity(claims, { issuer, clientId, now }));
  if (account.subject !== "") accepted(checkRenewedSubject(renewed, account.subject));
  // the old one may have expired: that is why there is a new one
  if (old !== null) {
    accepted(checkRenewedIdentity(accepted(readIdentity(old, { issuer, clientId, now: 0 })), renewed));
  }
  if (workspaceBefore(old, { account, claims }) !== ownerOf(claims).workspace) {
    throw new EnterpriseError("IDENTITY_REFUSED", "Cannot use the renewed ID token: its workspace changed", {
      reason: "workspace",
    });
  }
  return renewed;
}

/** The workspace that must stay. What a host calls the account says nothing of the provider's claims. */
function workspaceBefore(
  old: unknown,
  { account, claims }: { readonly account: RenewedAccount; readonly claims: unknown },
): string | null {
  if (old !== null) return ownerOf(old).workspace;
  return account.user === account.subject ? account.workspace : ownerOf(claims).workspace;
}

function accepted(verdict: Verdict<Identity, IdentityReason>): Identity {
  if (verdict.accepted) return verdict.value;
  throw refusalError(verdict.refusal, { code: "IDENTITY_REFUSED" });
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
