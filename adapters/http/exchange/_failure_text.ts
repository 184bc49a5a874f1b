/**
 * The sentence for a token request that was refused: which request, which server, what it answered, and what the
 * likely mistake is. Only codes that we know and identifiers of the configuration are repeated.
 *
 * What a refusal means is decided in `core/enterprise/exchange/oauth_error.ts`; the error around the sentence is
 * built in `outcome.ts`.
 *
 * @module
 */

import type { Leg } from "../../../core/enterprise/error.ts";
import type { FailureMeaning, OAuthFailure } from "../../../core/enterprise/exchange/oauth_error.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { BodyKind } from "../transport/document.ts";

/** What was asked, as it may be said. */
export interface RequestFacts {
  /** Which leg; a plain refresh counts as the first one. */
  readonly leg: Leg;
  /** What could not be done: `"exchange the sign-in"`. */
  readonly action: string;
  /** Issuer of the server that was asked. */
  readonly issuer: string;
  /** The audience that was sent; absent: none. */
  readonly audience?: string;
  /** The resource that was sent; absent: none. */
  readonly resource?: string;
  /** Whether scopes were sent. */
  readonly scoped: boolean;
}

/** What came back. */
export interface FailureFacts {
  /** What it means. */
  readonly meaning: FailureMeaning;
  /** Status and code. */
  readonly oauth: OAuthFailure;
  /** What its body is. */
  readonly body: BodyKind;
}

/** The sentence. */
export function failureText(facts: RequestFacts, failure: FailureFacts): string {
  const { status, code } = failure.oauth;
  const answered = code === null || code === "unrecognised" ? String(status) : `${code} (${status})`;
  return `Cannot ${facts.action} at ${quoteUrl(facts.issuer)}: it answered ${answered}${
    hintOf(facts, failure)
  }`;
}

function hintOf(facts: RequestFacts, { meaning, oauth, body }: FailureFacts): string {
  const first = facts.leg === "token-exchange";
  switch (meaning) {
    case "grant-in-doubt":
      return oauth.code === "invalid_request"
        ? ". The subject token may be of the wrong type, or made for another client than the one that exchanges"
        : ". The sign-in may have ended";
    case "administrator":
      return `. Its policy denies this server${targetOf(facts)}`;
    case "assertion":
      return ". It does not accept the ID-JAG: the client id, a clock, its trust in the identity provider, " +
        "or a user it does not know";
    case "client":
      return `. The client registration ${
        first ? "at the identity provider" : "oauth.client_id"
      }, its method or ` +
        "its credential is refused";
    case "scope":
      return facts.scoped
        ? ". A scope that was asked for is refused"
        : ". Configure scopes: it needs them named";
    case "stronger-sign-in":
      return ". It asks for a stronger sign-in";
    case "binding":
      return ". It asks for tokens bound to a key (DPoP), which is not supported. Switch that off for this client";
    case "unavailable":
      return "";
    case "misconfigured":
      return misconfigured(oauth, body);
  }
}

function targetOf({ audience, resource }: RequestFacts): string {
  const names = [
    ...(audience === undefined ? [] : [`audience ${quoteUrl(audience)}`]),
    ...(resource === undefined ? [] : [`resource ${quoteUrl(resource)}`]),
  ];
  return names.length === 0 ? "" : ` (${names.join(", ")})`;
}

function misconfigured({ status, code }: OAuthFailure, body: BodyKind): string {
  if (code === "unsupported_grant_type") return ". It does not offer this grant to this client";
  if (status >= 300 && status < 400) {
    return ", a redirect, which is not followed with a credential. " +
      "This may be the address of people, not of the server itself";
  }
  if (body === "not-json") {
    return " with a page instead of JSON. This may be the address of people, not of the server itself";
  }
  if (body === "too-long") return " with more than is read";
  return code === "unrecognised" ? " with an error that is not known" : " without an error that is known";
}
