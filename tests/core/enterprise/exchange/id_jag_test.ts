import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { checkIdJag, type IdJagOptions } from "../../../../core/enterprise/exchange/id_jag.ts";
import { compactToken } from "../tokens.ts";

const NOW = 1_800_000_000;
const CLAIMS = {
  iss: "https://idp.example/",
  aud: "https://as.example/",
  sub: "U1",
  client_id: "mcp-client",
  resource: "https://mcp.example",
  jti: "j1",
  iat: NOW,
  exp: NOW + 300,
  scope: "read write",
};
const OPTIONS: IdJagOptions = {
  issuer: "https://idp.example/",
  audience: "https://as.example/",
  resource: "https://mcp.example",
  clientId: "mcp-client",
  scopes: ["read", "write", "more"],
  allowMissingResource: false,
  answer: { scopes: null, expiresIn: 300 },
  now: NOW,
  serverNow: null,
};

function check(claims: Record<string, unknown>, options: Partial<IdJagOptions> = {}) {
  return checkIdJag(compactToken({ claims: { ...CLAIMS, ...claims } }), { ...OPTIONS, ...options });
}

function reason(claims: Record<string, unknown>, options: Partial<IdJagOptions> = {}): string {
  const verdict = check(claims, options);
  return verdict.accepted ? "accepted" : verdict.refusal.reason;
}

function messageOf(claims: Record<string, unknown>, options: Partial<IdJagOptions> = {}): string {
  const verdict = check(claims, options);
  return verdict.accepted ? "" : verdict.refusal.message;
}

test("checkIdJag: one that is right", () => {
  assertEquals(check({}), {
    accepted: true,
    value: { scopes: ["read", "write"], expiresAt: NOW + 300, opaque: false },
    notes: [],
  });
});

test("checkIdJag: every claim that is wrong or missing has its reason", () => {
  const gone = undefined;
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ iss: "https://idp.example" }, "issuer"],
    [{ iss: gone }, "issuer"],
    [{ iss: ["https://idp.example/"] }, "issuer"],
    [{ aud: "https://as.example" }, "audience"],
    [{ aud: ["https://as.example/", "https://evil.example"] }, "audience"],
    [{ aud: [] }, "audience"],
    [{ aud: gone }, "audience"],
    [{ aud: ["https://as.example/"] }, "accepted"],
    [{ client_id: "codex-idp-client" }, "client"],
    [{ client_id: gone }, "client"],
    [{ client_id: ["mcp-client"] }, "client"],
    [{ resource: gone }, "resource-missing"],
    [{ resource: "https://mcp.example/" }, "resource"],
    [{ resource: ["https://mcp.example", "https://evil.example"] }, "resource"],
    [{ resource: null }, "resource"],
    [{ resource: ["https://mcp.example"] }, "accepted"],
    [{ sub: gone }, "subject"],
    [{ sub: "" }, "subject"],
    [{ sub: 7 }, "subject"],
    [{ jti: gone }, "id"],
    [{ jti: "" }, "id"],
    [{ exp: gone }, "expiry-missing"],
    [{ exp: `${NOW + 300}` }, "expiry-missing"],
    [{ exp: NOW - 60 }, "expired"],
    [{ exp: NOW - 59 }, "accepted"],
    [{ iat: gone }, "issued-missing"],
    [{ iat: NOW + 60 }, "accepted"],
    [{ iat: NOW + 61 }, "issued-in-future"],
    [{ nbf: NOW + 60 }, "accepted"],
    [{ nbf: NOW + 61 }, "not-yet-valid"],
    [{ nbf: "soon" }, "not-yet-valid"],
    [{ scope: ["read"] }, "scope-malformed"],
    [{ scope: "read admin" }, "scope-exceeded"],
    [{ authorization_details: [] }, "authorization-details"],
    [{ cnf: { jkt: "x" } }, "key-bound"],
  ];
  for (const [claims, expected] of cases) assertEquals(reason(claims), expected, JSON.stringify(claims));
});

test("checkIdJag: the header and the shape", () => {
  const of = (parts: Parameters<typeof compactToken>[0]): string => {
    const verdict = checkIdJag(compactToken({ claims: CLAIMS, ...parts }), OPTIONS);
    return verdict.accepted ? "accepted" : verdict.refusal.reason;
  };
  const typ = "oauth-id-jag+jwt";
  assertEquals(of({ signature: "" }), "signature");
  for (const alg of ["none", "None", "NONE", "", 7, undefined]) {
    assertEquals(of({ header: { alg, typ } }), "algorithm");
  }
  for (const crit of [["exp"], ["b64"], [], null, "exp"]) {
    assertEquals(of({ header: { alg: "RS256", typ, crit } }), "critical");
  }
  for (const wrong of ["JWT", "at+jwt", "OAUTH-ID-JAG+JWT", undefined]) {
    assertEquals(of({ header: { alg: "RS256", typ: wrong } }), "type");
  }
  for (const [token, reason] of [["a.b", "segments"], ["opaque", "segments"], ["!.!.!", "header"]] as const) {
    const verdict = checkIdJag(token, OPTIONS);
    assertEquals(verdict.accepted ? "" : verdict.refusal.reason, reason);
  }
});

test("checkIdJag: a missing resource is accepted only when that is configured", () => {
  assertEquals(reason({ resource: undefined }, { allowMissingResource: true }), "accepted");
  assertEquals(reason({ resource: "https://evil.example" }, { allowMissingResource: true }), "resource");
});

test("checkIdJag: scopes are the claim's, else the answer's, else the requested", () => {
  const scopesOf = (scope: string | undefined, options: Partial<IdJagOptions>) => {
    const verdict = check({ scope }, options);
    return verdict.accepted ? verdict.value.scopes : verdict.refusal.reason;
  };
  const answered = { answer: { scopes: ["write", "read"], expiresIn: null } };
  assertEquals(scopesOf("read write", answered), ["read", "write"]);
  assertEquals(scopesOf(undefined, answered), ["write", "read"]);
  assertEquals(scopesOf(undefined, {}), ["read", "write", "more"]);
  assertEquals(scopesOf("read", answered), "scope-contradiction");
  assertEquals(scopesOf("read write more", answered), "scope-contradiction");
  assertEquals(scopesOf(undefined, { answer: { scopes: ["admin"], expiresIn: null } }), "scope-exceeded");
  for (const scopes of [null, []]) {
    assertEquals(scopesOf("anything at all", { scopes }), ["anything", "at", "all"]);
  }
  assertEquals(scopesOf(undefined, { scopes: null }), null);
});

test("checkIdJag: an encrypted one is opaque, and the answer decides", () => {
  const verdict = checkIdJag("a.b.c.d.e", { ...OPTIONS, answer: { scopes: ["read"], expiresIn: 60 } });
  assertEquals(verdict.accepted && verdict.value, { scopes: ["read"], expiresAt: NOW + 60, opaque: true });
  assertEquals(verdict.accepted && verdict.notes.map((note) => note.reason), ["opaque"]);
  const wide = checkIdJag("a.b.c.d.e", { ...OPTIONS, answer: { scopes: ["admin"], expiresIn: null } });
  assertEquals(wide.accepted ? "" : wide.refusal.reason, "scope-exceeded");
});

test("checkIdJag: a long life is noted", () => {
  const verdict = check({ exp: NOW + 3601 });
  assertEquals(verdict.accepted && verdict.notes.map((note) => note.reason), ["long-lived"]);
});

test("checkIdJag: swapped servers and a clock that is off are named", () => {
  const swapped = { iss: OPTIONS.audience, aud: OPTIONS.issuer };
  assertMatch(messageOf(swapped), /look swapped/);
  assertMatch(messageOf({ aud: OPTIONS.issuer }), /look swapped/);
  assertEquals(/swapped/.test(messageOf({ iss: "https://evil.example" })), false);
  assertMatch(
    messageOf({ iat: NOW + 500, exp: NOW + 900 }, { serverNow: NOW + 500 }),
    /clock is off by 500 s \(behind\)/,
  );
  assertMatch(messageOf({ exp: NOW - 500 }, { serverNow: NOW - 700 }), /clock is off by 700 s \(ahead\)/);
  assertMatch(messageOf({ exp: NOW - 500 }), /expired 500 s ago/);
});

test("checkIdJag: no message holds a part of the token", () => {
  const secret = "s3cr3t-in-a-claim";
  for (const name of [...Object.keys(CLAIMS), "nbf"]) {
    const message = messageOf({ [name]: secret });
    assert(!message.includes(secret), message);
  }
});
