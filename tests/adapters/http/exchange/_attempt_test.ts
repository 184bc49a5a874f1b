/**
 * Which errors of a request are outcomes, and which are errors of the caller's surroundings.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { attempt } from "../../../../adapters/http/exchange/_attempt.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { RequestFacts } from "../../../../adapters/http/exchange/outcome.ts";

const FACTS: RequestFacts = { leg: "redemption", action: "x", issuer: "https://as.example", scoped: false };

test("an answer comes through", async () => {
  assertEquals(await attempt(() => Promise.resolve(7), FACTS), { answer: 7, outcome: null });
});

test("an outage and a refused client are outcomes", async () => {
  for (
    const [code, meaning] of [["TEMPORARILY_UNAVAILABLE", "unavailable"], [
      "CLIENT_REFUSED",
      "client",
    ]] as const
  ) {
    const { answer, outcome } = await attempt(
      () => Promise.reject(new EnterpriseError(code, "Cannot")),
      FACTS,
    );
    assertEquals(answer, null);
    assertEquals(outcome?.succeeded === false ? outcome.failure.meaning : null, meaning);
  }
});

test("anything else is thrown on", async () => {
  for (const error of [new EnterpriseError("KEYRING_LOCKED", "Cannot"), new TypeError("x")]) {
    assertEquals(await assertRejects(() => attempt(() => Promise.reject(error), FACTS)), error);
  }
});
