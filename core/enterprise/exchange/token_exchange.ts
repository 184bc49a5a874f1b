/**
 * Leg 1 as data: the parameters of the token exchange, and what its answer must say before the ID-JAG in it is looked
 * at (`id_jag.ts`). Client authentication is the adapter's (`client_authentication.ts` chooses the method).
 *
 * RFC 8693, 2.1 and 2.2 (January 2020); ID-JAG (draft -04), 4.3; MCP EMA (stable), 4.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../json/value.ts";
import { parseScopes, scopeText } from "../scope.ts";
import { accept, type Note, refuse, type Verdict } from "../verdict.ts";
import type { SubjectToken } from "./subject_token.ts";

/** Type of an ID-JAG. */
export const ID_JAG_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:id-jag";

/** Parameters of a request, in the order they are sent. Only those that are set. */
export type RequestParameters = readonly (readonly [name: string, value: string])[];

/** What is exchanged, and for what. */
export interface TokenExchangeOptions {
  /** Type of the subject token. */
  readonly subjectToken: SubjectToken;
  /** The subject token itself. */
  readonly token: string;
  /** The issuer of the authorization server, as its metadata says it. */
  readonly audience: string;
  /** The resource identifier of the MCP server, as configured or published. */
  readonly resource: string;
  /** The scopes to ask for; `null` or empty: none is sent. */
  readonly scopes: readonly string[] | null;
}

/** The parameters of leg 1. They hold the subject token: keep them out of logs. */
export function tokenExchangeParameters(options: TokenExchangeOptions): RequestParameters {
  const scope = scopeText(options.scopes);
  return [
    ["grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"],
    ["requested_token_type", ID_JAG_TOKEN_TYPE],
    ["audience", options.audience],
    ["resource", options.resource],
    ...scope === undefined ? [] : [["scope", scope] as const],
    ["subject_token", options.token],
    ["subject_token_type", `urn:ietf:params:oauth:token-type:${options.subjectToken}`],
  ];
}

/**
 * The refresh token that an answer brings, whatever else it says; `null` when it brings none. It is stored before
 * anything else of the answer is looked at: the one that was presented may be dead by now.
 */
export function rotatedRefreshToken(response: unknown): string | null {
  const token = ownProperty(response, "refresh_token");
  return typeof token === "string" && token !== "" ? token : null;
}

/** What the answer says about the ID-JAG. The token itself stays in the answer. */
export interface ExchangeAnswer {
  /** The scopes of the answer; `null`: it names none. */
  readonly scopes: readonly string[] | null;
  /** Seconds until the ID-JAG expires; `null`: not said. */
  readonly expiresIn: number | null;
}

/** Why an answer is refused. */
export type ExchangeReason =
  | "malformed"
  | "issued-token-type"
  | "token-missing"
  | "expires-in-malformed"
  | "scope-malformed";

/**
 * Checks the answer of a successful token exchange, in this order: shape, `issued_token_type`, token, lifetime,
 * scope. A `token_type` other than `N_A` is noted: whatever it says, an ID-JAG is never sent as a bearer.
 */
export function readExchangeAnswer(response: unknown): Verdict<ExchangeAnswer, ExchangeReason> {
  const what = "Cannot use the answer of the identity provider";
  if (!isJsonObject(response)) {
    return refuse(["malformed", "RFC 8693, 2.2.1"], `${what}: it is no JSON object`);
  }
  if (ownProperty(response, "issued_token_type") !== ID_JAG_TOKEN_TYPE) {
    return refuse(
      ["issued-token-type", "ID-JAG -04, 4.3.4"],
      `${what}: issued_token_type is not ${ID_JAG_TOKEN_TYPE}. It does not issue ID-JAGs for this request`,
    );
  }
  const token = ownProperty(response, "access_token");
  if (typeof token !== "string" || token === "") {
    return refuse(["token-missing", "RFC 8693, 2.2.1"], `${what}: it holds no token`);
  }
  const expiresIn = ownProperty(response, "expires_in") ?? null;
  if (expiresIn !== null && !isLifetime(expiresIn)) {
    return refuse(["expires-in-malformed", "RFC 8693, 2.2.1"], `${what}: expires_in is no positive number`);
  }
  const scope = ownProperty(response, "scope");
  const scopes = scope === undefined ? null : parseScopes(scope);
  if (scope !== undefined && scopes === null) {
    return refuse(["scope-malformed", "RFC 6749, 3.3"], `${what}: its scope is no list of scopes`);
  }
  return accept({ scopes, expiresIn }, notesOf(response));
}

/** Whether `value` is a number of seconds that a token can live. */
export function isLifetime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function notesOf(response: unknown): readonly Note[] {
  const notes: Note[] = [];
  const type = ownProperty(response, "token_type");
  if (typeof type !== "string" || type.toUpperCase() !== "N_A") {
    const message = "The identity provider does not say N_A as the token_type of an ID-JAG";
    notes.push({ reason: "token-type", message });
  }
  if (rotatedRefreshToken(response) !== null) {
    const message = "The identity provider sent a refresh token with the ID-JAG";
    notes.push({ reason: "refresh-token-rotated", message });
  }
  return notes;
}
