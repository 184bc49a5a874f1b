/**
 * Which subject token leg 1 presents: the ID token or the refresh token. Identity providers differ; `auto` tries one
 * more, once, and only after a refusal that can be about the type.
 *
 * The request itself is built in `token_exchange.ts`. ID-JAG (draft -04), 4.3; MCP EMA (stable), 4.
 *
 * @module
 */

import type { SubjectTokenChoice } from "../config/server.ts";
import type { OAuthFailure } from "./oauth_error.ts";

/** A type of subject token. */
export type SubjectToken = "id_token" | "refresh_token";

/** What can be presented. */
export interface SubjectTokenFacts {
  /** What the configuration chooses. */
  readonly choice: SubjectTokenChoice;
  /** When the ID token expires, epoch seconds; `null`: there is none. */
  readonly idTokenExpiresAt: number | null;
  /** Whether there is a refresh token. */
  readonly hasRefreshToken: boolean;
  /** The type that this identity provider accepted before; `null`: not known. */
  readonly accepted: SubjectToken | null;
  /** Epoch seconds. */
  readonly now: number;
}

/** What to present, and what has to be done first. */
export type SubjectTokenPlan =
  | {
    /** The type to present first. */
    readonly first: SubjectToken;
    /** The type to try once after a typed refusal; `null`: none. */
    readonly second: SubjectToken | null;
    readonly missing?: never;
  }
  | {
    readonly first?: never;
    readonly second?: never;
    /** `"refresh"`: get a fresh ID token with the refresh token; `"sign-in"`: nothing is left to present. */
    readonly missing: "refresh" | "sign-in";
  };

/** Seconds of life that an ID token needs to be presented. */
const MARGIN = 30;

/**
 * Plans leg 1. `auto` presents what was accepted before, else a living ID token, else the refresh token; the other
 * type, if it is at hand, is tried once. A configured type is the only one: `id_token` is refreshed when it expired.
 */
export function planSubjectToken(facts: SubjectTokenFacts): SubjectTokenPlan {
  const { choice, idTokenExpiresAt, hasRefreshToken, accepted, now } = facts;
  const living = idTokenExpiresAt !== null && idTokenExpiresAt > now + MARGIN;
  if (choice === "refresh_token") {
    return hasRefreshToken ? { first: "refresh_token", second: null } : { missing: "sign-in" };
  }
  if (choice === "id_token") {
    if (living) return { first: "id_token", second: null };
    return { missing: hasRefreshToken ? "refresh" : "sign-in" };
  }
  if (living && hasRefreshToken) {
    return accepted === "refresh_token"
      ? { first: "refresh_token", second: "id_token" }
      : { first: "id_token", second: "refresh_token" };
  }
  if (living) return { first: "id_token", second: null };
  if (!hasRefreshToken) return { missing: "sign-in" };
  return accepted === "id_token" ? { missing: "refresh" } : { first: "refresh_token", second: null };
}

/** Whether a refusal of leg 1 can be about the type of the subject token, so that `auto` may try the other. */
export function isTypedRefusal({ status, code }: OAuthFailure): boolean {
  return status >= 400 && status < 500 && status !== 429 &&
    (code === "invalid_request" || code === "invalid_grant");
}
