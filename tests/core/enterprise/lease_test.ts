import { test } from "node:test";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { isLeaseAlive, leaseExpiry, leaseKey, renewalTime } from "../../../core/enterprise/lease.ts";

const binding = {
  grantKey: "k",
  generation: "g",
  endpoint: "https://mcp.example",
  issuer: "https://as.example",
  clientId: "c",
  resource: "https://mcp.example",
  scopes: ["a", "b"] as readonly string[] | null,
};

test("leaseKey: everything that a lease is bound to counts", () => {
  const key = leaseKey(binding);
  assertEquals(leaseKey({ ...binding, scopes: ["b", "a", "b"] }), key);
  for (const name of ["grantKey", "generation", "endpoint", "issuer", "clientId", "resource"] as const) {
    assertNotEquals(leaseKey({ ...binding, [name]: `${binding[name]}/` }), key, name);
  }
  const keys = [null, [], ["a"], ["a", "b"], ["a b"], ["a", "b", "c"]].map((scopes) =>
    leaseKey({ ...binding, scopes })
  );
  assertEquals(new Set(keys).size, keys.length);
  assertNotEquals(
    leaseKey({ ...binding, endpoint: "x", issuer: "" }),
    leaseKey({ ...binding, endpoint: "", issuer: "x" }),
  );
});

test("leaseExpiry: at most an hour, five minutes when unknown", () => {
  assertEquals([
    leaseExpiry(100, 60),
    leaseExpiry(100, 3600),
    leaseExpiry(100, 86400),
    leaseExpiry(100, null),
  ], [
    160,
    3700,
    3700,
    400,
  ]);
});

test("renewalTime: ahead of the end, never before half of the life, spread by the jitter", () => {
  assertEquals([
    renewalTime({ receivedAt: 0, expiresAt: 1000 }, 0),
    renewalTime({ receivedAt: 0, expiresAt: 1000 }, 1),
  ], [
    800,
    900,
  ]);
  const life = fc.record({
    receivedAt: fc.integer({ min: 0, max: 1e9 }),
    seconds: fc.integer({ min: 1, max: 3600 }),
    jitter: fc.double({ min: -1, max: 2, noNaN: true }),
  });
  fc.assert(fc.property(life, ({ receivedAt, seconds, jitter }) => {
    const at = renewalTime({ receivedAt, expiresAt: receivedAt + seconds }, jitter);
    assert(at >= receivedAt + seconds / 2 - 1e-6 && at < receivedAt + seconds, `${at}`);
  }));
});

test("isLeaseAlive: until its end, and not in another age of the clock", () => {
  const life = { receivedAt: 1000, expiresAt: 1300 };
  assertEquals([1000, 1299, 1300, 940, 939].map((now) => isLeaseAlive(life, now)), [
    true,
    true,
    false,
    true,
    false,
  ]);
});
