/**
 * The ID-JAG as data: every check that a client can make before it redeems one. Checked in the order of
 * {@linkcode IdJagReason}. The signature is the authorization server's to verify; an encrypted ID-JAG is opaque, and
 * the fields of the answer decide.
 *
 * The answer around it is checked in `token_exchange.ts`, the header in `id_jag_header.ts`, the times in
 * `id_jag_time.ts`. What the claims say is never quoted: only what was expected.
 * ID-JAG (draft -04), 3.1 and 4.3.4; RFC 7519, 4.1; MCP EMA, 4.3.
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";
import { isSameSet, isWithin, parseScopes } from "../scope.ts";
import { quoteUrl } from "../url.ts";
import { accept, type Note, refuse, type Refused, type Verdict } from "../verdict.ts";
import { headerFlaw } from "./id_jag_header.ts";
import { timeReasonOf, timeText } from "./id_jag_time.ts";
import { type JwtObject, readCompactToken } from "./jwt.ts";
import type { ExchangeAnswer } from "./token_exchange.ts";

/** Why an ID-JAG is refused, in the order of the checks. */
export type IdJagReason =
  | "segments"
  | "header"
  | "claims"
  | "signature"
  | "algorithm"
  | "critical"
  | "type"
  | "issuer"
  | "audience"
  | "client"
  | "resource-missing"
  | "resource"
  | "subject"
  | "id"
  | "expiry-missing"
  | "expired"
  | "issued-missing"
  | "issued-in-future"
  | "not-yet-valid"
  | "scope-malformed"
  | "scope-contradiction"
  | "scope-exceeded"
  | "authorization-details"
  | "key-bound";

/** What was asked for, and when. */
export interface IdJagOptions {
  /** `metadata.issuer` of the identity provider. */
  readonly issuer: string;
  /** `metadata.issuer` of the authorization server: the audience that was asked for. */
  readonly audience: string;
  /** The resource that was asked for. */
  readonly resource: string;
  /** The client id that redeems it. */
  readonly clientId: string;
  /** The scopes that were asked for; `null`: none, and any is accepted. */
  readonly scopes: readonly string[] | null;
  /** Whether a missing `resource` claim is accepted. */
  readonly allowMissingResource: boolean;
  /** What the answer around it says. */
  readonly answer: ExchangeAnswer;
  /** Epoch seconds. */
  readonly now: number;
  /** The `Date` of the answer, epoch seconds; `null`: not known. Only a hint for the message. */
  readonly serverNow: number | null;
}

/** What an accepted ID-JAG says. The token itself is not in it. */
export interface IdJag {
  /** The scopes to ask for at leg 2: the claim's, else the answer's, else those that were asked for. */
  readonly scopes: readonly string[] | null;
  /** When it expires, epoch seconds; `null`: not known. */
  readonly expiresAt: number | null;
  /** Whether it is encrypted, and nothing in it was checked. */
  readonly opaque: boolean;
}

const WHAT = "Cannot use the ID-JAG of the identity provider";
const CLAIMS = "ID-JAG -04, 3.1";

/** Checks `token`, the `access_token` of the answer to the token exchange. */
export function checkIdJag(token: string, options: IdJagOptions): Verdict<IdJag, IdJagReason> {
  const { answer, now } = options;
  const parts = readCompactToken(token);
  if (parts.kind === "unreadable") {
    return refuse([parts.part, "RFC 7515, 7.1"], `${WHAT}: its ${parts.part} cannot be read`);
  }
  const opaque = parts.kind === "encrypted";
  const flaw = opaque ? null : headerFlaw(parts);
  if (flaw !== null) return refuse([flaw[0], flaw[1]], `${WHAT}: ${flaw[2]}`);
  const refused = opaque ? null : checkClaims(parts.claims, options);
  if (refused !== null) return refused;
  const claims = opaque ? {} : parts.claims;
  const scopes = scopesOf(claims, options);
  if (!scopes.accepted) return scopes;
  if (ownProperty(claims, "authorization_details") !== undefined) {
    return refuse(
      ["authorization-details", CLAIMS],
      `${WHAT}: it carries authorization_details, never asked for`,
    );
  }
  if (ownProperty(claims, "cnf") !== undefined) {
    return refuse(
      ["key-bound", "RFC 7800, 3.1"],
      `${WHAT}: it is bound to a key (cnf), which is not supported`,
    );
  }
  const expiry = ownProperty(claims, "exp");
  const answered = answer.expiresIn === null ? null : now + answer.expiresIn;
  const expiresAt = typeof expiry === "number" ? expiry : answered;
  return accept({ scopes: scopes.value, expiresAt, opaque }, notesOf(opaque, (expiresAt ?? now) - now));
}

function checkClaims(claims: JwtObject, options: IdJagOptions): Refused<IdJagReason> | null {
  const at = (name: string): unknown => ownProperty(claims, name);
  const { issuer, audience, resource, clientId, now, serverNow } = options;
  if (at("iss") !== issuer) {
    const state = at("iss") === audience && single(at("aud")) === issuer ? SWAPPED : "";
    return refuse(["issuer", CLAIMS], `${WHAT}: its issuer is not ${quoteUrl(issuer)}${state}`);
  }
  if (single(at("aud")) !== audience) {
    const state = single(at("aud")) === issuer ? SWAPPED : "";
    return refuse(["audience", CLAIMS], `${WHAT}: its audience is not ${quoteUrl(audience)} alone${state}`);
  }
  if (at("client_id") !== clientId) {
    return refuse(
      ["client", "ID-JAG -04, 5"],
      `${WHAT}: it is for another client than the configured oauth.client_id. ` +
        "Have the identity provider map this client to it",
    );
  }
  const claimed = at("resource");
  if (claimed === undefined) {
    if (!options.allowMissingResource) {
      const state = "it names no resource (allow_missing_resource accepts that)";
      return refuse(["resource-missing", "MCP EMA, 4.3"], `${WHAT}: ${state}`);
    }
  } else if (single(claimed) !== resource) {
    return refuse(["resource", "MCP EMA, 4.3"], `${WHAT}: its resource is not ${quoteUrl(resource)} alone`);
  }
  for (const [reason, name] of [["subject", "sub"], ["id", "jti"]] as const) {
    const value = at(name);
    if (typeof value !== "string" || value === "") {
      return refuse([reason, CLAIMS], `${WHAT}: it has no ${name}`);
    }
  }
  const time = timeReasonOf(claims, now);
  return time === null
    ? null
    : refuse([time, "RFC 7519, 4.1"], `${WHAT}: ${timeText(claims, { time, now, serverNow })}`);
}

const SWAPPED = ". The identity provider and the authorization server look swapped: " +
  "ID-JAGs come from the organization's own server";

/** A string, or the one string of an array of one; else `undefined`. */
function single(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof one === "string" ? one : undefined;
}

/** The scopes for leg 2. Claim and answer must not contradict each other, nor exceed what was asked for. */
function scopesOf(claims: JwtObject, options: IdJagOptions): Verdict<readonly string[] | null, IdJagReason> {
  const { scopes: asked, answer } = options;
  const claim = ownProperty(claims, "scope");
  const claimed = claim === undefined ? null : parseScopes(claim);
  if (claim !== undefined && claimed === null) {
    return refuse(["scope-malformed", CLAIMS], `${WHAT}: its scope is no list of scopes`);
  }
  if (claimed !== null && answer.scopes !== null && !isSameSet(claimed, answer.scopes)) {
    return refuse(
      ["scope-contradiction", "RFC 8693, 2.2.1"],
      `${WHAT}: its scope is not the scope of the answer`,
    );
  }
  const granted = claimed ?? answer.scopes;
  if (granted !== null && asked !== null && asked.length > 0 && !isWithin(granted, asked)) {
    return refuse(["scope-exceeded", CLAIMS], `${WHAT}: it holds a scope that was not asked for`);
  }
  return accept(granted ?? asked);
}

function notesOf(opaque: boolean, life: number): readonly Note[] {
  if (opaque) return [{ reason: "opaque", message: "The ID-JAG is encrypted: only the answer was checked" }];
  return life > 3600 ? [{ reason: "long-lived", message: "The ID-JAG lives for more than an hour" }] : [];
}
