/**
 * Whose identity it is: what a renewed ID token must keep, and whether a sign-in is that of the person a host
 * expects. The claims come from an ID token whose signature an adapter has verified, or that it got from the token
 * endpoint itself. OpenID Connect Core 1.0, 2, 3.1.3.7 and 12.2.
 *
 * The claims of an ID-JAG are another matter: `exchange/id_jag.ts`.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../json/value.ts";
import { MAX_EPOCH_SECONDS } from "./epoch.ts";
import { isSameSet } from "./scope.ts";
import { accept, refuse, type Verdict } from "./verdict.ts";

/** What identifies a person at an identity provider. */
export interface Identity {
  /** The issuer, verbatim. */
  readonly issuer: string;
  /** The subject, verbatim. */
  readonly subject: string;
  /** The audiences, each once. */
  readonly audiences: readonly string[];
  /** The authorized party; `null`: not said. */
  readonly authorizedParty: string | null;
  /** When the token expires, epoch seconds. */
  readonly expiresAt: number;
}

/** Why an identity is refused. */
export type IdentityReason =
  | "malformed"
  | "issuer"
  | "subject"
  | "audience"
  | "authorized-party"
  | "expired"
  | "unexpected-subject";

/** What is expected of an ID token. */
export interface IdentityOptions {
  /** `metadata.issuer` of the identity provider. */
  readonly issuer: string;
  /** Our client id there. */
  readonly clientId: string;
  /** Epoch seconds. */
  readonly now: number;
}

const SECTION = "OIDC Core 1.0, 3.1.3.7";

/** Reads the claims of an ID token: issuer, subject, audience, authorized party and expiry, in this order. */
export function readIdentity(
  claims: unknown,
  { issuer, clientId, now }: IdentityOptions,
): Verdict<Identity, IdentityReason> {
  const what = "Cannot use the ID token";
  if (!isJsonObject(claims)) return refuse(["malformed", SECTION], `${what}: its claims are no JSON object`);
  const at = (name: string): unknown => ownProperty(claims, name);
  if (at("iss") !== issuer) return refuse(["issuer", SECTION], `${what}: it is of another issuer`);
  const subject = at("sub");
  if (typeof subject !== "string" || subject === "" || subject.length > 255) {
    return refuse(["subject", SECTION], `${what}: it names no subject`);
  }
  const audience: unknown = at("aud");
  const audiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  if (!audiences.every((one) => typeof one === "string") || !audiences.includes(clientId)) {
    return refuse(
      ["audience", SECTION],
      `${what}: it is for another client. Sign in with the client that exchanges`,
    );
  }
  const party = at("azp") ?? null;
  if (party !== null && party !== clientId || party === null && audiences.length > 1) {
    return refuse(["authorized-party", SECTION], `${what}: its authorized party is not this client`);
  }
  const expiresAt = at("exp");
  if (typeof expiresAt !== "number" || !(expiresAt > now - 60)) {
    return refuse(["expired", SECTION], `${what}: it has expired`);
  }
  if (expiresAt > MAX_EPOCH_SECONDS) {
    return refuse(["malformed", "RFC 7519, 4.1.4"], `${what}: its exp is beyond every date`);
  }
  const authorizedParty = party === null ? null : clientId;
  return accept({ issuer, subject, audiences: [...new Set(audiences)], authorizedParty, expiresAt });
}

/** Whether a renewed ID token is still that of the person whose subject is `before`. */
export function checkRenewedSubject(after: Identity, before: string): Verdict<Identity, IdentityReason> {
  if (after.subject === before) return accept(after);
  return refuse(["subject", "OIDC Core 1.0, 12.2"], "Cannot use the renewed ID token: its subject changed");
}

/** Whether a renewed ID token is still the same person's, for the same client: `iss`, `sub`, `aud` and `azp` stay. */
export function checkRenewedIdentity(before: Identity, after: Identity): Verdict<Identity, IdentityReason> {
  const section = "OIDC Core 1.0, 12.2";
  const what = "Cannot use the renewed ID token";
  if (after.issuer !== before.issuer) return refuse(["issuer", section], `${what}: its issuer changed`);
  const subject = checkRenewedSubject(after, before.subject);
  if (!subject.accepted) return subject;
  if (!isSameSet(after.audiences, before.audiences)) {
    return refuse(["audience", section], `${what}: its audience changed`);
  }
  return after.authorizedParty === before.authorizedParty
    ? accept(after)
    : refuse(["authorized-party", section], `${what}: its authorized party changed`);
}

/** Whether the sign-in is that of the subject a host expects; `null`: the identity is shown and confirmed instead. */
export function checkExpectedSubject(
  identity: Identity,
  expected: string | null,
): Verdict<"expected" | "to-confirm", IdentityReason> {
  if (expected === null) return accept("to-confirm");
  return identity.subject === expected ? accept("expected") : refuse(
    ["unexpected-subject", SECTION],
    "Cannot use the sign-in: it is that of another person than expected",
  );
}
