/**
 * The sentences for refused requests, each with its hint.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { failureText, type RequestFacts } from "../../../../adapters/http/exchange/_failure_text.ts";
import {
  meaningOf,
  OAUTH_ERROR_CODES,
  type OAuthFailure,
} from "../../../../core/enterprise/exchange/oauth_error.ts";
import type { BodyKind } from "../../../../adapters/http/transport/document.ts";

const FIRST: RequestFacts = {
  leg: "token-exchange",
  action: "exchange the sign-in",
  issuer: "https://idp.example/?secret",
  audience: "https://as.example",
  resource: "https://mcp.example/mcp",
  scoped: false,
};
const SECOND: RequestFacts = { ...FIRST, leg: "redemption", action: "redeem the ID-JAG", scoped: true };

function text(facts: RequestFacts, oauth: OAuthFailure, body: BodyKind = "json"): string {
  return failureText(facts, { meaning: meaningOf(oauth, facts.leg), oauth, body });
}

test("each sentence names the request, the server without its query, and the answer", () => {
  for (const facts of [FIRST, SECOND]) {
    for (const code of OAUTH_ERROR_CODES) {
      const sentence = text(facts, { status: 400, code });
      assertStringIncludes(
        sentence,
        `Cannot ${facts.action} at "https://idp.example/": it answered ${code} (400)`,
      );
      assertEquals(sentence.includes("secret"), false);
    }
  }
});

test("hints name the likely mistake", () => {
  const hints: readonly (readonly [RequestFacts, OAuthFailure, string])[] = [
    [FIRST, { status: 400, code: "invalid_request" }, "another client than the one that exchanges"],
    [FIRST, { status: 400, code: "invalid_grant" }, "sign-in may have ended"],
    [
      FIRST,
      { status: 400, code: "invalid_target" },
      'audience "https://as.example", resource "https://mcp.example',
    ],
    [SECOND, { status: 400, code: "invalid_grant" }, "client id, a clock, its trust"],
    [FIRST, { status: 400, code: "invalid_scope" }, "Configure scopes"],
    [SECOND, { status: 400, code: "invalid_scope" }, "A scope that was asked for is refused"],
    [SECOND, { status: 401, code: "invalid_client" }, "oauth.client_id"],
    [FIRST, { status: 400, code: "use_dpop_nonce" }, "DPoP"],
    [SECOND, { status: 400, code: "unsupported_grant_type" }, "does not offer this grant"],
    [FIRST, { status: 400, code: "unrecognised" }, "it answered 400 with an error that is not known"],
    [FIRST, { status: 404, code: null }, "it answered 404 without an error that is known"],
    [FIRST, { status: 302, code: null }, "a redirect, which is not followed"],
  ];
  for (const [facts, failure, hint] of hints) assertStringIncludes(text(facts, failure), hint);
  assertStringIncludes(text(FIRST, { status: 200, code: null }, "not-json"), "a page instead of JSON");
  assertStringIncludes(text(FIRST, { status: 200, code: null }, "too-long"), "more than is read");
});
