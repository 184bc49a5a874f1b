/**
 * What a `WWW-Authenticate` header asks for. The header is taken apart by oauth4webapi; only known error codes are
 * repeated, and no description is ever read.
 *
 * Where `resource_metadata` may lead is decided in `core/enterprise/discovery/redirect.ts`, what a scope may reach in
 * `core/enterprise/scope.ts`. RFC 9110, 11.6.1; RFC 6750, 3; RFC 9470, 3; RFC 9728, 5.1.
 *
 * @module
 */

import * as oauth from "oauth4webapi";
import { parseScopes } from "../../../core/enterprise/scope.ts";

/**
 * The longest header that is read, in UTF-16 code units. A challenge takes some hundred; the library takes time in
 * proportion to the square of the length.
 */
export const MAX_CHALLENGE_LENGTH = 8192;

/** Why a bearer was refused. */
export type BearerError =
  | "invalid_request"
  | "invalid_token"
  | "insufficient_scope"
  | "insufficient_user_authentication"
  | "unrecognised";

const ERRORS: readonly BearerError[] = [
  "invalid_request",
  "invalid_token",
  "insufficient_scope",
  "insufficient_user_authentication",
];

/** A challenge of the scheme Bearer. */
export interface BearerChallenge {
  /** Why the bearer was refused; `null`: not said, as when none was sent. */
  readonly error: BearerError | null;
  /** The scopes that are needed; `null`: not said, or no list of scopes. */
  readonly scopes: readonly string[] | null;
  /** Where the resource's metadata is said to be, verbatim and unchecked; `null`: not said. */
  readonly resourceMetadata: string | null;
}

/** The first Bearer challenge in `header`; `null` when there is none, or the header is too long or cannot be read. */
export async function readBearerChallenge(header: string | null): Promise<BearerChallenge | null> {
  const challenge = (await challengesIn(header)).find(({ scheme }) => scheme === "bearer");
  if (challenge === undefined) return null;
  const { error, scope, resource_metadata: resourceMetadata } = challenge.parameters;
  return {
    error: error === undefined ? null : ERRORS.find((known) => known === error) ?? "unrecognised",
    scopes: scope === undefined ? null : parseScopes(scope),
    resourceMetadata: resourceMetadata ?? null,
  };
}

/** The library parses challenges wherever it expects a success; a revocation needs least beside the header. */
async function challengesIn(header: string | null): Promise<readonly oauth.WWWAuthenticateChallenge[]> {
  if (header === null || header.length > MAX_CHALLENGE_LENGTH) return [];
  try {
    const headers = { "www-authenticate": header };
    await oauth.processRevocationResponse(new Response(null, { status: 401, headers }));
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause;
    if (error instanceof Error) return [];
    throw error;
  }
  return [];
}
