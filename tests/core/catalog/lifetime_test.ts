import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import {
  catalogTtlMs,
  isFreshCatalog,
  LEGACY_CATALOG_TTL_MS,
  MAX_CATALOG_TTL_MS,
} from "../../../core/catalog/lifetime.ts";

const legacyTtlMs = LEGACY_CATALOG_TTL_MS;

function modern(...ttls: readonly unknown[]): number {
  return catalogTtlMs({ era: "modern", hints: ttls.map((ttlMs) => ({ ttlMs })), legacyTtlMs });
}

test("a modern server's ttlMs is honoured up to 24 hours; what is no positive number is 0", () => {
  assertEquals(modern(1), 1);
  assertEquals(modern(60_000), 60_000);
  assertEquals(modern(1500.9), 1500);
  for (const huge of [MAX_CATALOG_TTL_MS, MAX_CATALOG_TTL_MS + 1, Number.MAX_SAFE_INTEGER, 1e308]) {
    assertEquals(modern(huge), MAX_CATALOG_TTL_MS);
  }
  for (
    const none of [0, -0, -1, 0.5, NaN, Infinity, -Infinity, undefined, null, "60000", true, {}, [1], 1n]
  ) {
    assertEquals(modern(none), 0, String(none));
  }
  assertEquals(modern(), 0);
  assertEquals(catalogTtlMs({ era: "modern", hints: [{}], legacyTtlMs }), 0);
});

test("of several pages the shortest life counts, and one without a hint is 0", () => {
  assertEquals(modern(5000, 1000, 9000), 1000);
  assertEquals(modern(5000, undefined), 0);
  assertEquals(modern(5000, "x"), 0);
});

test("a legacy server gets the default; hints can only make it shorter", () => {
  const legacy = (hints: readonly object[], ms = legacyTtlMs) =>
    catalogTtlMs({ era: "legacy", hints, legacyTtlMs: ms });
  assertEquals(legacy([]), 300_000);
  assertEquals(legacy([{}, {}]), 300_000);
  assertEquals(legacy([{ ttlMs: 1000 }, {}]), 1000);
  assertEquals(legacy([{ ttlMs: 999_999 }]), 300_000);
  assertEquals(legacy([{ ttlMs: 0 }]), 0);
  assertEquals(legacy([{ ttlMs: "x" }]), 0);
  assertEquals(legacy([], 0), 0);
  assertEquals(legacy([], -1), 0);
  assertEquals(legacy([], NaN), 0);
  assertEquals(legacy([], 1e300), MAX_CATALOG_TTL_MS);
});

test("a catalog is fresh from the moment it came until its life is over", () => {
  const catalog = { fetchedAt: 1000, ttlMs: 2000, era: "modern" } as const;
  const fresh = (now: number) => isFreshCatalog(catalog, { now, legacyTtlMs });
  assertEquals([999, 999.999, 1000, 1001.999, 1002, 1e12].map(fresh), [
    false,
    false,
    true,
    true,
    false,
    false,
  ]);
  assertEquals([NaN, Infinity, -Infinity].map(fresh), [false, false, false]);
});

test("a clock that was put back makes what was kept before stale, not everlasting", () => {
  const catalog = { fetchedAt: 5000, ttlMs: MAX_CATALOG_TTL_MS, era: "modern" } as const;
  assertEquals(isFreshCatalog(catalog, { now: 4000, legacyTtlMs }), false);
  assertEquals(isFreshCatalog(catalog, { now: 5000 + 86_399, legacyTtlMs }), true);
  for (const ttlMs of [1e300, Infinity, NaN, -1]) {
    assertEquals(isFreshCatalog({ ...catalog, ttlMs }, { now: 5000 + 86_400, legacyTtlMs }), false);
  }
  for (const fetchedAt of [NaN, Infinity, -Infinity]) {
    assertEquals(isFreshCatalog({ ...catalog, fetchedAt }, { now: 5000, legacyTtlMs }), false);
  }
});

test("a host with a shorter default does not use what one with a longer default kept", () => {
  const catalog = { fetchedAt: 0, ttlMs: 300_000, era: "legacy" } as const;
  assertEquals(isFreshCatalog(catalog, { now: 10, legacyTtlMs: 300_000 }), true);
  assertEquals(isFreshCatalog(catalog, { now: 10, legacyTtlMs: 10_000 }), false);
  assertEquals(isFreshCatalog(catalog, { now: 0, legacyTtlMs: 0 }), false);
  assertEquals(isFreshCatalog({ ...catalog, era: "modern" }, { now: 10, legacyTtlMs: 0 }), true);
});

test("whatever the hints, a life is a whole number of milliseconds within its bounds", () => {
  fc.assert(fc.property(
    fc.constantFrom<"modern" | "legacy">("modern", "legacy"),
    fc.array(fc.record({ ttlMs: fc.anything() }, { requiredKeys: [] })),
    fc.double(),
    (era, hints, ms) => {
      const ttl = catalogTtlMs({ era, hints, legacyTtlMs: ms });
      assert(Number.isInteger(ttl) && ttl >= 0 && ttl <= MAX_CATALOG_TTL_MS);
    },
  ));
});
