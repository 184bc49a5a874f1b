import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  checkExpectedSubject,
  checkRenewedIdentity,
  checkRenewedSubject,
  type Identity,
  readIdentity,
} from "../../../core/enterprise/identity.ts";

const NOW = 1000;
const options = { issuer: "https://idp.example", clientId: "c", now: NOW };
const claims = { iss: "https://idp.example", sub: "U1", aud: "c", exp: NOW + 300 };

function reason(changes: Record<string, unknown>): string {
  const verdict = readIdentity({ ...claims, ...changes }, options);
  return verdict.accepted ? "accepted" : verdict.refusal.reason;
}

test("readIdentity: each check has its reason", () => {
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{}, "accepted"],
    [{ iss: "https://idp.example/" }, "issuer"],
    [{ sub: "" }, "subject"],
    [{ sub: "x".repeat(256) }, "subject"],
    [{ aud: "other" }, "audience"],
    [{ aud: undefined }, "audience"],
    [{ aud: ["c", 7] }, "audience"],
    [{ aud: ["c", "d"] }, "authorized-party"],
    [{ aud: ["c", "d"], azp: "c" }, "accepted"],
    [{ azp: "d" }, "authorized-party"],
    [{ exp: NOW - 60 }, "expired"],
    [{ exp: NOW - 59 }, "accepted"],
    [{ exp: undefined }, "expired"],
    [{ exp: NaN }, "expired"],
    [{ exp: 8.64e12 }, "accepted"],
    [{ exp: 9e12 }, "malformed"],
    [{ exp: 1e300 }, "malformed"],
    [{ exp: Infinity }, "malformed"],
  ];
  for (const [changes, expected] of cases) assertEquals(reason(changes), expected, JSON.stringify(changes));
  assertEquals(readIdentity(null, options).accepted, false);
});

test("checkRenewedIdentity: issuer, subject, audience and authorized party stay", () => {
  const before: Identity = {
    issuer: "i",
    subject: "s",
    audiences: ["c", "d"],
    authorizedParty: "c",
    expiresAt: 1,
  };
  const check = (changes: Partial<Identity>): string => {
    const verdict = checkRenewedIdentity(before, { ...before, expiresAt: 2, ...changes });
    return verdict.accepted ? "accepted" : verdict.refusal.reason;
  };
  assertEquals(check({ audiences: ["d", "c"] }), "accepted");
  assertEquals(check({ issuer: "x" }), "issuer");
  assertEquals(check({ subject: "x" }), "subject");
  assertEquals(check({ audiences: ["c"] }), "audience");
  assertEquals(check({ authorizedParty: null }), "authorized-party");
});

test("checkRenewedSubject: the very subject", () => {
  const after: Identity = { issuer: "i", subject: "s", audiences: [], authorizedParty: null, expiresAt: 1 };
  assertEquals(checkRenewedSubject(after, "s").accepted, true);
  for (const before of ["S", "", "s "]) {
    const verdict = checkRenewedSubject(after, before);
    assertEquals(verdict.accepted ? "accepted" : verdict.refusal.reason, "subject");
  }
});

test("checkExpectedSubject: expected, another, or to be confirmed", () => {
  const identity: Identity = {
    issuer: "i",
    subject: "s",
    audiences: [],
    authorizedParty: null,
    expiresAt: 1,
  };
  const check = (expected: string | null): string => {
    const verdict = checkExpectedSubject(identity, expected);
    return verdict.accepted ? verdict.value : verdict.refusal.reason;
  };
  assertEquals([check("s"), check("t"), check(null)], ["expected", "unexpected-subject", "to-confirm"]);
});
