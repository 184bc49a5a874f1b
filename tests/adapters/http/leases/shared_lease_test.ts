import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import {
  readSharedLease,
  type SharedLease,
  writeSharedLease,
} from "../../../../adapters/http/leases/shared_lease.ts";
import { MAX_LEASE_SECONDS } from "../../../../core/enterprise/lease.ts";

const LEASE: SharedLease = {
  id: "0b7e2f9c-1d52-4f37-9c3a-7d1f7e0a9b11",
  token: "access-token",
  receivedAt: 1_000,
  expiresAt: 1_300,
};

function changed(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...LEASE, ...members });
}

test("what is written is read back, and nothing else is written", () => {
  const more = { ...LEASE, refreshToken: "refresh", idToken: "id" };
  assertEquals(readSharedLease(writeSharedLease(more)), LEASE);
  assert(!writeSharedLease(more).includes("refresh"));
});

test("what is not exactly a lease is none", () => {
  const texts = [
    "",
    "null",
    "[]",
    "{}",
    "{",
    '"text"',
    changed({ id: 1 }),
    changed({ id: "x".repeat(36) }),
    changed({ id: "" }),
    changed({ token: "" }),
    changed({ token: "a b" }),
    changed({ token: "a\r\nb" }),
    changed({ token: "tökén" }),
    changed({ token: null }),
    changed({ receivedAt: -1 }),
    changed({ receivedAt: "1000" }),
    changed({ expiresAt: null }),
    changed({ expiresAt: 1e300 }),
    changed({ expiresAt: LEASE.receivedAt }),
    changed({ expiresAt: LEASE.receivedAt - 1 }),
    changed({ expiresAt: LEASE.receivedAt + MAX_LEASE_SECONDS + 1 }),
    `{"__proto__":${changed({})}}`,
  ];
  for (const text of texts) assertEquals(readSharedLease(text), null, text);
});

test("any text at all is a whole lease or none", () => {
  const value = fc.oneof(fc.constant(LEASE.id), fc.jsonValue(), fc.double(), fc.constant(LEASE.token));
  const member = fc.record({ id: value, token: value, receivedAt: value, expiresAt: value }, {
    requiredKeys: [],
  });
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    member.map((members) => JSON.stringify(members)),
    member.map((members) => changed(members)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const lease = readSharedLease(text);
      if (lease === null) return;
      assertEquals(Object.keys(lease).sort(), ["expiresAt", "id", "receivedAt", "token"]);
      const life = lease.expiresAt - lease.receivedAt;
      assert(life > 0 && life <= MAX_LEASE_SECONDS && /^[\x21-\x7e]+$/.test(lease.token));
      assertEquals(readSharedLease(writeSharedLease(lease)), lease);
    }),
    { numRuns: 2_000 },
  );
});
