import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  type FailureMeaning,
  meaningOf,
  OAUTH_ERROR_CODES,
  readOAuthFailure,
} from "../../../../core/enterprise/exchange/oauth_error.ts";

function meanings(status: number, error: unknown): readonly FailureMeaning[] {
  const failure = readOAuthFailure(status, { error });
  return [meaningOf(failure, "token-exchange"), meaningOf(failure, "redemption")];
}

test("meaningOf: every code at both legs", () => {
  const table: Readonly<Record<string, readonly [FailureMeaning, FailureMeaning]>> = {
    invalid_request: ["grant-in-doubt", "misconfigured"],
    invalid_grant: ["grant-in-doubt", "assertion"],
    access_denied: ["administrator", "administrator"],
    invalid_target: ["administrator", "administrator"],
    unauthorized_client: ["administrator", "client"],
    invalid_client: ["client", "client"],
    invalid_scope: ["scope", "scope"],
    insufficient_user_authentication: ["stronger-sign-in", "stronger-sign-in"],
    interaction_required: ["stronger-sign-in", "stronger-sign-in"],
    login_required: ["stronger-sign-in", "stronger-sign-in"],
    invalid_dpop_proof: ["binding", "binding"],
    use_dpop_nonce: ["binding", "binding"],
    unsupported_grant_type: ["misconfigured", "misconfigured"],
    server_error: ["unavailable", "unavailable"],
    temporarily_unavailable: ["unavailable", "unavailable"],
    slow_down: ["unavailable", "unavailable"],
  };
  assertEquals(Object.keys(table).sort(), [...OAUTH_ERROR_CODES].sort());
  for (const [code, expected] of Object.entries(table)) {
    assertEquals(meanings(400, code), [...expected], code);
  }
});

test("meaningOf: the status comes first", () => {
  for (const status of [0, 408, 425, 429, 500, 502, 503, 504]) {
    for (const code of ["invalid_grant", "access_denied", undefined]) {
      assertEquals(meanings(status, code), ["unavailable", "unavailable"], `${status}`);
    }
  }
  for (const status of [200, 301, 302, 307, 308]) {
    assertEquals(meanings(status, "invalid_grant"), ["misconfigured", "misconfigured"]);
  }
  for (const status of [400, 401, 403]) assertEquals(meanings(status, "access_denied")[0], "administrator");
  for (const error of [undefined, "made_up", 7]) {
    assertEquals(meanings(400, error), ["misconfigured", "misconfigured"]);
  }
});

test("readOAuthFailure: nothing of the body is kept but a code that we know", () => {
  const secret = "s3cr3t";
  for (
    const body of [{ error: secret, error_description: secret }, {
      error: "invalid_grant",
      error_uri: secret,
    }, secret]
  ) {
    assertEquals(JSON.stringify(readOAuthFailure(400, body)).includes(secret), false);
  }
  assertEquals(readOAuthFailure(400, { error: "x" }).code, "unrecognised");
  assertEquals(readOAuthFailure(400, "<html>").code, null);
});
