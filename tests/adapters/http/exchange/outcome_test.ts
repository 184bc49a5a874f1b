/**
 * Failures as data: code, meaning, leg and reason agree with each other.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  notAnswered,
  type Outcome,
  refusedBy,
  refusedContent,
  type RequestFacts,
  succeed,
} from "../../../../adapters/http/exchange/outcome.ts";
import type { TokenAnswer } from "../../../../adapters/http/exchange/token_request.ts";
import { EnterpriseError, type Leg } from "../../../../core/enterprise/error.ts";

const FACTS: RequestFacts = {
  leg: "redemption",
  action: "redeem the ID-JAG",
  issuer: "https://as.example",
  scoped: true,
};

function answer(status: number, value: unknown): TokenAnswer {
  const document = { kind: "json", value } as const;
  return { status, document, anyDocument: value, now: 0, serverNow: null, retryAfter: 5 };
}

function text(outcome: Outcome<unknown>): string {
  if (outcome.succeeded) return String(outcome.value);
  const { meaning, oauth, retryAfter, error } = outcome.failure;
  const { code, leg, reason } = error;
  return [code, leg, reason, meaning, oauth === null ? null : `${oauth.status} ${oauth.code}`, retryAfter]
    .join(" | ");
}

test("a success carries its value", () => {
  assertEquals(text(succeed(7)), "7");
});

test("an answer that is a refusal carries status, code and the time to wait", () => {
  assertEquals(
    text(refusedBy(answer(400, { error: "access_denied" }), FACTS)),
    "ADMINISTRATOR_REFUSED | redemption | access_denied | administrator | 400 access_denied | 5",
  );
  assertEquals(
    text(refusedBy(answer(404, {}), FACTS)),
    "REDEMPTION_REFUSED | redemption | status | misconfigured | 404 null | 5",
  );
  assertEquals(
    text(refusedBy(answer(400, { error: "use_dpop_nonce" }), { ...FACTS, leg: "token-exchange" })),
    "EXCHANGE_REFUSED | token-exchange | use_dpop_nonce | binding | 400 use_dpop_nonce | 5",
  );
});

test("a refused content carries the check's reason and section", () => {
  const of = (reason: string, leg: Leg): Outcome<never> =>
    refusedContent({ reason, section: "RFC X, 1", message: "Cannot use it" }, { ...FACTS, leg });
  assertEquals(
    text(of("token-type", "redemption")),
    "REDEMPTION_REFUSED | redemption | token-type | misconfigured |  | ",
  );
  assertEquals(
    text(of("scope-exceeded", "redemption")),
    "SCOPE_REFUSED | redemption | scope-exceeded | scope |  | ",
  );
  const client = of("client", "token-exchange");
  assertEquals(text(client), "CLIENT_REFUSED | token-exchange | client | client |  | ");
  assertEquals(client.succeeded ? null : client.failure.error.section, "RFC X, 1");
});

test("no answer is an outage of status 0, and the error keeps what it said", () => {
  const cause = { name: "TypeError", code: "ECONNREFUSED", status: null };
  const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", {
    reason: "network",
    cause,
  });
  const outcome = notAnswered(error, FACTS);
  assertEquals(text(outcome), "TEMPORARILY_UNAVAILABLE | redemption | network | unavailable | 0 null | ");
  assertEquals(outcome.succeeded ? null : outcome.failure.error.cause, cause);
  const client = new EnterpriseError("CLIENT_REFUSED", "Cannot authenticate", {
    reason: "method-unsupported",
  });
  assertEquals(
    text(notAnswered(client, FACTS)),
    "CLIENT_REFUSED | redemption | method-unsupported | client |  | ",
  );
});
