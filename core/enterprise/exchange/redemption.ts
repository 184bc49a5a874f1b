/**
 * Leg 2 as data: the parameters that redeem an ID-JAG, and what the answer must say before its access token is used.
 * One ID-JAG is redeemed once. Client authentication is the adapter's; how long a token is kept is decided in
 * `lease.ts`.
 *
 * RFC 7523, 2.1; RFC 6749, 5.1; ID-JAG (draft -04), 4.4; MCP EMA (stable), 5.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../json/value.ts";
import { isWithin, parseScopes, scopeText } from "../scope.ts";
import { accept, type Note, refuse, type Verdict } from "../verdict.ts";
import { readCompactToken } from "./jwt.ts";
import { isLifetime, type RequestParameters } from "./token_exchange.ts";

/** What is redeemed. */
export interface RedemptionOptions {
  /** The ID-JAG. */
  readonly assertion: string;
  /** The resource identifier of the MCP server, the same as at leg 1. */
  readonly resource: string;
  /** The scopes of the ID-JAG; `null` or empty: none is sent. */
  readonly scopes: readonly string[] | null;
}

/** The parameters of leg 2. They hold the ID-JAG: keep them out of logs. */
export function redemptionParameters(options: RedemptionOptions): RequestParameters {
  const scope = scopeText(options.scopes);
  return [
    ["grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
    ["assertion", options.assertion],
    ["resource", options.resource],
    ...scope === undefined ? [] : [["scope", scope] as const],
  ];
}

/** Why an answer is refused, in the order of the checks. */
export type RedemptionReason =
  | "malformed"
  | "token-missing"
  | "key-bound"
  | "token-type"
  | "expires-in-malformed"
  | "scope-malformed"
  | "scope-exceeded"
  | "resource";

/** What was asked for. */
export interface RedemptionExpectation {
  /** The scopes of the ID-JAG; `null`: not known, and any is accepted. */
  readonly scopes: readonly string[] | null;
  /** The resource that was asked for. */
  readonly resource: string;
}

/** What an accepted answer says. The token itself stays in the answer. */
export interface RedemptionAnswer {
  /** The scopes of the token; `null`: not known. */
  readonly scopes: readonly string[] | null;
  /** Seconds that it lives; `null`: not said. */
  readonly expiresIn: number | null;
}

/**
 * Checks the answer of a successful redemption. A token that is bound to a key is refused by name, never sent as a
 * plain bearer; a refresh token is noted and dropped.
 */
export function readRedemptionAnswer(
  response: unknown,
  { scopes: allowed, resource }: RedemptionExpectation,
): Verdict<RedemptionAnswer, RedemptionReason> {
  const what = "Cannot use the answer of the authorization server";
  if (!isJsonObject(response)) return refuse(["malformed", "RFC 6749, 5.1"], `${what}: it is no JSON object`);
  const token = ownProperty(response, "access_token");
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    return refuse(["token-missing", "RFC 6749, 5.1"], `${what}: it holds no access token`);
  }
  const type = ownProperty(response, "token_type");
  if (isBound(token, response)) {
    const state = "the access token is bound to a key (DPoP or cnf), which is not supported. " +
      "Switch that off for this client at the authorization server";
    return refuse(["key-bound", "RFC 9449, 5"], `${what}: ${state}`);
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    return refuse(["token-type", "RFC 6749, 7.1"], `${what}: token_type is not Bearer`);
  }
  const expiresIn = ownProperty(response, "expires_in") ?? null;
  if (expiresIn !== null && !isLifetime(expiresIn)) {
    return refuse(["expires-in-malformed", "RFC 6749, 5.1"], `${what}: expires_in is no positive number`);
  }
  const scope = ownProperty(response, "scope");
  const scopes = scope === undefined ? null : parseScopes(scope);
  if (scope !== undefined && scopes === null) {
    return refuse(["scope-malformed", "RFC 6749, 3.3"], `${what}: its scope is no list of scopes`);
  }
  if (scopes !== null && allowed !== null && !isWithin(scopes, allowed)) {
    return refuse(["scope-exceeded", "MCP EMA, 7.2.1"], `${what}: it holds a scope that the ID-JAG does not`);
  }
  const echoed = ownProperty(response, "resource");
  if (echoed !== undefined && echoed !== resource && !(isSingle(echoed) && echoed[0] === resource)) {
    return refuse(["resource", "RFC 8707, 2.2"], `${what}: it is for another resource`);
  }
  return accept({ scopes: scopes ?? allowed, expiresIn }, notesOf(response));
}

function isSingle(value: unknown): value is readonly [unknown] {
  return Array.isArray(value) && value.length === 1;
}

/** Whether the answer, or a token that can be read, says that the token is bound to a key. */
function isBound(token: string, response: unknown): boolean {
  const type = ownProperty(response, "token_type");
  if (typeof type === "string" && type.toLowerCase() === "dpop") return true;
  if (ownProperty(response, "cnf") !== undefined) return true;
  const parts = readCompactToken(token);
  return parts.kind === "signed" && ownProperty(parts.claims, "cnf") !== undefined;
}

function notesOf(response: unknown): readonly Note[] {
  return ownProperty(response, "refresh_token") === undefined ? [] : [{
    reason: "refresh-token-dropped",
    message: "The authorization server sent a refresh token, which is not kept",
  }];
}
