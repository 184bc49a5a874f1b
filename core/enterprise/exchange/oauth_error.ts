/**
 * Refusals by the identity provider and by the authorization server: which codes we know, and what each means at
 * which leg. Only a code from the list is ever repeated; `error_description` and `error_uri` are never read.
 *
 * What a meaning does to grant, leases and threads is decided in `authorization/`. RFC 6749, 5.2; RFC 8693, 2.2.2;
 * RFC 8707, 2; RFC 9470, 3; ID-JAG (draft -04), 4.3.
 *
 * @module
 */

import { ownProperty } from "../../json/value.ts";
import type { Leg } from "../error.ts";

/** The codes that we know. */
export const OAUTH_ERROR_CODES: readonly [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "access_denied",
  "insufficient_user_authentication",
  "interaction_required",
  "login_required",
  "invalid_dpop_proof",
  "use_dpop_nonce",
  "server_error",
  "temporarily_unavailable",
  "slow_down",
] = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "access_denied",
  "insufficient_user_authentication",
  "interaction_required",
  "login_required",
  "invalid_dpop_proof",
  "use_dpop_nonce",
  "server_error",
  "temporarily_unavailable",
  "slow_down",
];

/** A code that we know. */
export type OAuthErrorCode = typeof OAUTH_ERROR_CODES[number];

/** An answer that is no success. */
export interface OAuthFailure {
  /** The HTTP status; 0 when there was no answer (network, TLS, deadline). */
  readonly status: number;
  /** The code; `"unrecognised"` for another text; `null` when the body names none. */
  readonly code: OAuthErrorCode | "unrecognised" | null;
}

/** What a refusal means. */
export type FailureMeaning =
  /** The grant is in doubt: a plain refresh tells whether it still stands. */
  | "grant-in-doubt"
  /** A verdict of the administrator's policy. Not repeated, and no other way is tried. */
  | "administrator"
  /** The authorization server does not accept this ID-JAG. */
  | "assertion"
  /** Our registration or credential is refused. */
  | "client"
  /** A scope is refused, or one has to be named. */
  | "scope"
  /** A stronger sign-in is asked for. */
  | "stronger-sign-in"
  /** A token bound to a key is asked for, which is not supported. */
  | "binding"
  /** Later may work: nothing was refused. */
  | "unavailable"
  /** The answer is none of an OAuth token endpoint, or of one that does not know our request. */
  | "misconfigured";

/** Reads the status and the parsed body of an answer; a body that is no JSON is `undefined`. */
export function readOAuthFailure(status: number, body: unknown): OAuthFailure {
  const text = ownProperty(body, "error");
  const code = OAUTH_ERROR_CODES.find((known) => known === text);
  return { status, code: code ?? (typeof text === "string" ? "unrecognised" : null) };
}

/**
 * What `failure` means at `leg`. The status comes first: 0, 408, 425, 429 and 5xx are an outage whatever the body
 * says; a redirect is never followed; a code counts only with 4xx.
 */
export function meaningOf({ status, code }: OAuthFailure, leg: Leg): FailureMeaning {
  if (status === 0 || [408, 425, 429].includes(status) || status >= 500) return "unavailable";
  if (status < 400 || code === null || code === "unrecognised") return "misconfigured";
  const first = leg === "token-exchange";
  switch (code) {
    case "invalid_grant":
      return first ? "grant-in-doubt" : "assertion";
    case "invalid_request":
      return first ? "grant-in-doubt" : "misconfigured";
    case "access_denied":
    case "invalid_target":
      return "administrator";
    case "unauthorized_client":
      return first ? "administrator" : "client";
    case "invalid_client":
      return "client";
    case "invalid_scope":
      return "scope";
    case "insufficient_user_authentication":
    case "interaction_required":
    case "login_required":
      return "stronger-sign-in";
    case "invalid_dpop_proof":
    case "use_dpop_nonce":
      return "binding";
    case "unsupported_grant_type":
      return "misconfigured";
    case "server_error":
    case "temporarily_unavailable":
    case "slow_down":
      return "unavailable";
  }
}
