import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { areCatalogTools, readCatalogEntry } from "../../../core/catalog/entry.ts";
import { MAX_CATALOG_TTL_MS } from "../../../core/catalog/lifetime.ts";

const ENTRY = {
  fetchedAt: 1000.5,
  ttlMs: 1,
  era: "modern",
  protocol: "2026-07-28",
  cacheScope: "public",
  tools: [{ name: "t", inputSchema: {}, extra: [1] }],
};

test("an entry is read, and what is not known passed over", () => {
  assertEquals(readCatalogEntry({ ...ENTRY, more: 1 }) as unknown, ENTRY);
  for (const good of [{ ttlMs: MAX_CATALOG_TTL_MS }, { cacheScope: null }, { tools: [] }, { fetchedAt: 0 }]) {
    assertEquals(readCatalogEntry({ ...ENTRY, ...good }) as unknown, { ...ENTRY, ...good });
  }
});

test("a missing or malformed member makes it none", () => {
  const bad: Record<string, readonly unknown[]> = {
    fetchedAt: [-1, NaN, Infinity, "1", null],
    ttlMs: [0, -1, 1.5, NaN, Infinity, MAX_CATALOG_TTL_MS + 1, "1", null],
    era: ["", "Modern", null, 1],
    protocol: [null, 1, {}],
    cacheScope: ["", "shared", 1, {}],
    tools: [null, {}, "x", [null], [[]], [{}], [{ name: "t" }], [{ name: "", inputSchema: {} }]],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of [...values, undefined]) {
      assertEquals(readCatalogEntry({ ...ENTRY, [name]: value }), null, `${name}: ${String(value)}`);
    }
    const { [name as keyof typeof ENTRY]: _, ...rest } = ENTRY;
    assertEquals(readCatalogEntry(rest), null, name);
    assertEquals(readCatalogEntry(Object.create(ENTRY)), null, "members of others do not count");
  }
  for (const value of [null, undefined, 1, "x", [], [ENTRY]]) assertEquals(readCatalogEntry(value), null);
});

test("a tool has a name and a schema of its arguments, of its own", () => {
  const tool = { name: "t", inputSchema: { type: "object" } };
  assertEquals(areCatalogTools([tool, tool]), true);
  for (const bad of [{ inputSchema: [] }, { inputSchema: null }, { inputSchema: "x" }, { name: 1 }]) {
    assertEquals(areCatalogTools([tool, { ...tool, ...bad }]), false);
  }
  assertEquals(areCatalogTools([Object.create(tool)]), false);
});

test("anything is read without throwing", () => {
  fc.assert(fc.property(fc.anything(), (value) => {
    assertEquals(readCatalogEntry(value), null);
  }));
});
