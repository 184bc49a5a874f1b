import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  readRedemptionAnswer,
  redemptionParameters,
} from "../../../../core/enterprise/exchange/redemption.ts";
import { compactToken } from "../tokens.ts";

const good = { access_token: "at-1", token_type: "Bearer", expires_in: 3600 };
const expected = { scopes: ["read", "write"], resource: "https://mcp.example" };

function reason(response: unknown): string {
  const verdict = readRedemptionAnswer(response, expected);
  return verdict.accepted ? "accepted" : verdict.refusal.reason;
}

test("redemptionParameters: the assertion, the resource, and the scopes that the ID-JAG has", () => {
  const options = { assertion: "a.b.c", resource: "https://mcp.example", scopes: ["read"] };
  assertEquals(redemptionParameters(options), [
    ["grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
    ["assertion", "a.b.c"],
    ["resource", "https://mcp.example"],
    ["scope", "read"],
  ]);
  for (const scopes of [null, []]) assertEquals(redemptionParameters({ ...options, scopes }).length, 3);
});

test("readRedemptionAnswer: each check has its reason", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [good, "accepted"],
    [{ ...good, token_type: "bearer" }, "accepted"],
    ["<html>", "malformed"],
    [{ ...good, access_token: "" }, "token-missing"],
    [{ ...good, access_token: "a b" }, "token-missing"],
    [{ ...good, access_token: "a\r\nb" }, "token-missing"],
    [{ ...good, token_type: "DPoP" }, "key-bound"],
    [{ ...good, cnf: { jkt: "x" } }, "key-bound"],
    [{ ...good, access_token: compactToken({ claims: { cnf: { jkt: "x" } } }) }, "key-bound"],
    [{ ...good, access_token: compactToken({ claims: {} }) }, "accepted"],
    [{ ...good, token_type: undefined }, "token-type"],
    [{ ...good, token_type: "N_A" }, "token-type"],
    [{ ...good, token_type: "mac" }, "token-type"],
    [{ ...good, expires_in: 0 }, "expires-in-malformed"],
    [{ ...good, expires_in: "3600" }, "expires-in-malformed"],
    [{ ...good, scope: 7 }, "scope-malformed"],
    [{ ...good, scope: "read admin" }, "scope-exceeded"],
    [{ ...good, scope: "read" }, "accepted"],
    [{ ...good, resource: "https://mcp.example/" }, "resource"],
    [{ ...good, resource: ["https://mcp.example"] }, "accepted"],
    [{ ...good, resource: ["https://mcp.example", "x"] }, "resource"],
    [{ ...good, resource: null }, "resource"],
  ];
  for (const [response, outcome] of cases) assertEquals(reason(response), outcome, JSON.stringify(response));
});

test("readRedemptionAnswer: what it says, and no token in it", () => {
  const verdict = readRedemptionAnswer({ ...good, scope: "read", refresh_token: "rt" }, expected);
  assertEquals(verdict, {
    accepted: true,
    value: { scopes: ["read"], expiresIn: 3600 },
    notes: [{
      reason: "refresh-token-dropped",
      message: "The authorization server sent a refresh token, which is not kept",
    }],
  });
  const silent = readRedemptionAnswer({ access_token: "a", token_type: "Bearer" }, expected);
  assertEquals(silent.accepted && silent.value, { scopes: ["read", "write"], expiresIn: null });
  const open = readRedemptionAnswer({ ...good, scope: "anything" }, { ...expected, scopes: null });
  assertEquals(open.accepted && open.value.scopes, ["anything"]);
});
