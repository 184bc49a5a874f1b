import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  readExchangeAnswer,
  rotatedRefreshToken,
  tokenExchangeParameters,
} from "../../../../core/enterprise/exchange/token_exchange.ts";

const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
const good = { issued_token_type: ID_JAG, access_token: "a.b.c", token_type: "N_A", expires_in: 300 };

test("tokenExchangeParameters: identifiers verbatim, only what is set", () => {
  const options = {
    subjectToken: "id_token",
    token: "subject",
    audience: "https://as.example/",
    resource: "https://mcp.example",
    scopes: ["read", "write"],
  } as const;
  assertEquals(tokenExchangeParameters(options), [
    ["grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"],
    ["requested_token_type", ID_JAG],
    ["audience", "https://as.example/"],
    ["resource", "https://mcp.example"],
    ["scope", "read write"],
    ["subject_token", "subject"],
    ["subject_token_type", "urn:ietf:params:oauth:token-type:id_token"],
  ]);
  for (const scopes of [null, []]) {
    const names = tokenExchangeParameters({ ...options, subjectToken: "refresh_token", scopes });
    assertEquals(names.map(([name]) => name).includes("scope"), false);
    assertEquals(names.at(-1)?.[1], "urn:ietf:params:oauth:token-type:refresh_token");
    assertEquals(names.every(([, value]) => value !== ""), true);
  }
});

test("readExchangeAnswer: each check has its reason", () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [good, "accepted"],
    [null, "malformed"],
    [[good], "malformed"],
    [{ ...good, issued_token_type: undefined }, "issued-token-type"],
    [{ ...good, issued_token_type: "urn:ietf:params:oauth:token-type:access_token" }, "issued-token-type"],
    [{ ...good, access_token: "" }, "token-missing"],
    [{ ...good, access_token: 7 }, "token-missing"],
    [{ ...good, expires_in: 0 }, "expires-in-malformed"],
    [{ ...good, expires_in: "300" }, "expires-in-malformed"],
    [{ ...good, expires_in: -1 }, "expires-in-malformed"],
    [{ ...good, expires_in: null }, "accepted"],
    [{ ...good, scope: 7 }, "scope-malformed"],
    [{ ...good, scope: null }, "scope-malformed"],
  ];
  for (const [response, expected] of cases) {
    const verdict = readExchangeAnswer(response);
    assertEquals(verdict.accepted ? "accepted" : verdict.refusal.reason, expected, JSON.stringify(response));
  }
});

test("readExchangeAnswer: another token_type than N_A is noted, never taken for a bearer", () => {
  const notes = (response: unknown) => {
    const verdict = readExchangeAnswer(response);
    return verdict.accepted ? verdict.notes.map((note) => note.reason) : [verdict.refusal.reason];
  };
  assertEquals(notes(good), []);
  assertEquals(notes({ ...good, token_type: "n_a" }), []);
  for (const token_type of ["Bearer", "DPoP", undefined]) {
    assertEquals(notes({ ...good, token_type }), ["token-type"]);
  }
  assertEquals(notes({ ...good, refresh_token: "r" }), ["refresh-token-rotated"]);
  const verdict = readExchangeAnswer({ ...good, scope: "b a" });
  assertEquals(verdict.accepted && verdict.value, { scopes: ["b", "a"], expiresIn: 300 });
  assertEquals(JSON.stringify(verdict).includes("a.b.c"), false);
});

test("rotatedRefreshToken: whatever else the answer says", () => {
  assertEquals(rotatedRefreshToken({ refresh_token: "new" }), "new");
  assertEquals(rotatedRefreshToken({ error: "invalid_grant", refresh_token: "new" }), "new");
  for (const response of [{}, null, { refresh_token: "" }, { refresh_token: 7 }, "x"]) {
    assertEquals(rotatedRefreshToken(response), null);
  }
});
