import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  isTypedRefusal,
  planSubjectToken,
  type SubjectTokenFacts,
} from "../../../../core/enterprise/exchange/subject_token.ts";

const NOW = 1000;

function plan(facts: Partial<SubjectTokenFacts>): string {
  const { first, second, missing } = planSubjectToken({
    choice: "auto",
    idTokenExpiresAt: NOW + 600,
    hasRefreshToken: true,
    accepted: null,
    now: NOW,
    ...facts,
  });
  return missing ?? `${first} ${second}`;
}

test("planSubjectToken: auto tries one more, the one that was accepted first", () => {
  assertEquals(plan({}), "id_token refresh_token");
  assertEquals(plan({ accepted: "id_token" }), "id_token refresh_token");
  assertEquals(plan({ accepted: "refresh_token" }), "refresh_token id_token");
  assertEquals(plan({ hasRefreshToken: false }), "id_token null");
  assertEquals(plan({ idTokenExpiresAt: null }), "refresh_token null");
});

test("planSubjectToken: an ID token that expired is refreshed, replaced or asks for a sign-in", () => {
  for (const idTokenExpiresAt of [NOW + 30, NOW, NOW - 1]) {
    assertEquals(plan({ idTokenExpiresAt }), "refresh_token null");
    assertEquals(plan({ idTokenExpiresAt, accepted: "id_token" }), "refresh");
    assertEquals(plan({ idTokenExpiresAt, hasRefreshToken: false }), "sign-in");
    assertEquals(plan({ idTokenExpiresAt, choice: "id_token" }), "refresh");
    assertEquals(plan({ idTokenExpiresAt, choice: "id_token", hasRefreshToken: false }), "sign-in");
  }
  assertEquals(plan({ idTokenExpiresAt: NOW + 31 }), "id_token refresh_token");
});

test("planSubjectToken: a configured type is the only one", () => {
  assertEquals(plan({ choice: "id_token", accepted: "refresh_token" }), "id_token null");
  assertEquals(plan({ choice: "refresh_token", accepted: "id_token" }), "refresh_token null");
  assertEquals(plan({ choice: "refresh_token", hasRefreshToken: false }), "sign-in");
});

test("isTypedRefusal: only what can be about the type, never a verdict of policy or an outage", () => {
  for (const code of ["invalid_request", "invalid_grant"] as const) {
    assertEquals(isTypedRefusal({ status: 400, code }), true);
    for (const status of [0, 200, 302, 429, 500]) assertEquals(isTypedRefusal({ status, code }), false);
  }
  for (
    const code of [
      "access_denied",
      "invalid_target",
      "invalid_client",
      "unauthorized_client",
      "invalid_scope",
      "unrecognised",
      null,
    ] as const
  ) {
    assertEquals(isTypedRefusal({ status: 400, code }), false);
  }
});
