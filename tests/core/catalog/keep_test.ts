import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { type CatalogKeeping, keepCatalog, type ListedTools } from "../../../core/catalog/keep.ts";
import { LEGACY_CATALOG_TTL_MS } from "../../../core/catalog/lifetime.ts";
import { MAX_CATALOG_BYTES } from "../../../core/catalog/record.ts";
import { exactJson } from "../arbitrary_json.ts";

const TOOL = { name: "echo", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
const PUBLIC = { ttlMs: 1000, cacheScope: "public" };
const LISTED: ListedTools = { tools: [TOOL], hints: [PUBLIC], era: "modern", protocol: "2026-07-28" };

function keep(change: Partial<ListedTools> = {}, enterprise = false): CatalogKeeping {
  const facts = { enterprise, now: 50.5, legacyTtlMs: LEGACY_CATALOG_TTL_MS };
  return keepCatalog({ ...LISTED, ...change }, facts);
}

/** Whose it is, or why it is not kept. */
function outcome(change: Partial<ListedTools> = {}, enterprise = false): string {
  const keeping = keep(change, enterprise);
  return keeping.kind === "kept" ? keeping.scope : keeping.reason;
}

test("a public catalog is kept for all, as a frozen copy", () => {
  const keeping = keep();
  assert(keeping.kind === "kept");
  assertEquals(keeping.scope, "shared");
  assertEquals(keeping.entry as unknown, {
    fetchedAt: 50.5,
    ttlMs: 1000,
    era: "modern",
    protocol: "2026-07-28",
    cacheScope: "public",
    tools: [TOOL],
  });
  assert((keeping.entry.tools[0] as unknown) !== TOOL);
  assert(Object.isFrozen(keeping.entry.tools[0]?.inputSchema) && !Object.isFrozen(TOOL.inputSchema));
});

test("nothing of an enterprise server is kept, whatever it says and speaks", () => {
  for (const cacheScope of ["public", "private", undefined]) {
    for (const era of ["modern", "legacy"] as const) {
      assertEquals(outcome({ hints: [{ ttlMs: 1e9, cacheScope }], era }, true), "enterprise");
    }
  }
});

test("the strictest page decides", () => {
  const scope = (...scopes: readonly unknown[]) =>
    outcome({ hints: scopes.map((cacheScope) => ({ ttlMs: 1000, cacheScope })) });
  assertEquals(scope("public", "public"), "shared");
  for (const other of ["private", undefined, null, "Public", 7]) {
    assertEquals(scope("public", other), "context");
    assertEquals(scope(other, "public"), "context");
  }
  assertEquals(outcome({ hints: [PUBLIC, { ...PUBLIC, ttlMs: 0 }] }), "stale");
  const legacy = (...hints: ListedTools["hints"]) => outcome({ hints, era: "legacy" });
  assertEquals([legacy(), legacy({}, {}), legacy({}, { cacheScope: "public" })], [
    "shared",
    "shared",
    "shared",
  ]);
  assertEquals([legacy({}, { cacheScope: "private" }), legacy({ ttlMs: 0 })], ["context", "stale"]);
});

test("a modern server without hints is asked each time", () => {
  for (const hints of [[], [{}], [{ cacheScope: "public" }], [{ cacheScope: "public", ttlMs: -1 }]]) {
    assertEquals(outcome({ hints }), "stale");
  }
});

test("what JSON would change is not kept; what was rounded before it came is", () => {
  const tools = (value: unknown) => [{ ...TOOL, inputSchema: { maximum: value } }];
  for (const value of [Infinity, NaN, undefined, () => 1, 1n, new Date(0), Symbol("x")]) {
    assertEquals(outcome({ tools: tools(value) }), "inexact", String(value));
  }
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  assertEquals(outcome({ tools: tools(circle) }), "inexact");
  assertEquals(outcome({ tools: tools(2 ** 64) }), "shared");
});

test("a list that is no list of tools, or a large one, is not kept", () => {
  const tools = (...list: readonly unknown[]) => list as ListedTools["tools"];
  assertEquals(outcome({ tools: tools({ name: "x" }) }), "malformed");
  assertEquals(outcome({ tools: tools(null) }), "malformed");
  const text = "x".repeat(MAX_CATALOG_BYTES);
  assertEquals(outcome({ tools: tools({ ...TOOL, description: text }) }), "too-large");
  assertEquals(
    outcome({ tools: tools({ ...TOOL, description: "ä".repeat(MAX_CATALOG_BYTES / 2) }) }),
    "too-large",
  );
  assertEquals(outcome({ tools: tools({ ...TOOL, description: text.slice(200) }) }), "shared");
});

test("whatever is kept equals what came", () => {
  fc.assert(fc.property(fc.array(exactJson), (extras) => {
    const tools = extras.map((extra, at) => ({ name: `t${at}`, inputSchema: {}, extra }));
    const keeping = keep({ tools });
    assert(keeping.kind === "kept");
    assertEquals(JSON.stringify(keeping.entry.tools), JSON.stringify(tools));
  }));
});
