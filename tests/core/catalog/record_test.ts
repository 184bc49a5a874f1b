import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import type { CatalogEntry } from "../../../core/catalog/entry.ts";
import { type CatalogKey, isCatalogKey } from "../../../core/catalog/key.ts";
import {
  fitsCatalog,
  MAX_CATALOG_BYTES,
  readCatalogRecord,
  writeCatalogRecord,
} from "../../../core/catalog/record.ts";
import { exactJson } from "../arbitrary_json.ts";

function keyOf(digit: string): CatalogKey {
  const text = digit.repeat(64);
  assert(isCatalogKey(text));
  return text;
}

const KEY = keyOf("a");
const ENTRY: CatalogEntry = {
  fetchedAt: 1000.25,
  ttlMs: 60_000,
  era: "modern",
  protocol: "2026-07-28",
  cacheScope: "public",
  tools: [{ name: "echo", inputSchema: { type: "object" }, title: "Echo" }],
};

function written(change: Partial<CatalogEntry> = {}): string {
  const text = writeCatalogRecord(KEY, { ...ENTRY, ...change });
  assert(text !== null);
  return text;
}

/** Why a text is refused; `null`: it is not. */
function refusal(text: string, key = KEY): string | null {
  const reading = readCatalogRecord(text, key);
  return reading.kind === "refused" ? reading.reason : null;
}

/** The text of a record with other members. */
function changed(members: Record<string, unknown>): string {
  return JSON.stringify({ ...JSON.parse(written()), ...members });
}

test("what is written is read, frozen", () => {
  const reading = readCatalogRecord(written(), KEY);
  assert(reading.kind === "entry");
  assertEquals(reading.entry, ENTRY);
  assert(Object.isFrozen(reading.entry) && Object.isFrozen(reading.entry.tools[0]?.inputSchema));
});

test("each refusal has its name", () => {
  assertEquals(refusal(""), "not-json");
  assertEquals(refusal("\u0000"), "not-json");
  assertEquals(refusal(written().slice(0, -1)), "not-json");
  for (const text of ["null", "1", '"x"', "[]", `[${written()}]`]) assertEquals(refusal(text), "malformed");
  assertEquals(refusal("{}"), "unknown-version");
  for (const version of [0, -1, 1.5, "1", null, [1], true]) {
    assertEquals(refusal(changed({ version })), "unknown-version");
  }
  for (const version of [2, 3, 1e9]) assertEquals(refusal(changed({ version })), "newer-version");
  assertEquals(
    refusal(changed({ version: 2, key: 1, tools: 1 })),
    "newer-version",
    "the version is looked at first",
  );
  assertEquals(refusal(written(), keyOf("b")), "other-key");
  assertEquals(refusal(changed({ key: undefined })), "other-key");
  assertEquals(refusal(changed({ ttlMs: 1e300 })), "malformed");
  assertEquals(refusal(changed({ tools: [{ name: "x" }] })), "malformed");
  assertEquals(refusal(changed({ cacheScope: "private" })), "not-shared");
  assertEquals(refusal(changed({ cacheScope: null })), "not-shared");
  assertEquals(refusal(changed({ cacheScope: null, era: "legacy" })), null);
  assertEquals(refusal(changed({ cacheScope: "private", era: "legacy" })), "not-shared");
  assertEquals(refusal(changed({ more: "of the same version" })), null);
  assertEquals(refusal(" ".repeat(MAX_CATALOG_BYTES) + written()), "too-large");
});

test("what may not be shared is never written", () => {
  for (const cacheScope of ["private", null] as const) {
    assertEquals(writeCatalogRecord(KEY, { ...ENTRY, cacheScope }), null);
  }
  assertEquals(writeCatalogRecord(KEY, { ...ENTRY, era: "legacy", cacheScope: "private" }), null);
  written({ era: "legacy", cacheScope: null });
});

test("a text is at most 1 MiB in UTF-8, and not a byte more", () => {
  for (const [unit, bytes] of [["a", 1], ["ä", 2], ["€", 3], ["😀", 4]] as const) {
    const most = Math.floor(MAX_CATALOG_BYTES / bytes);
    assertEquals(fitsCatalog(unit.repeat(most)), true, unit);
    assertEquals(fitsCatalog(unit.repeat(most + 1)), false, unit);
  }
  const tool = { name: "t", inputSchema: {}, description: "" };
  const rest = MAX_CATALOG_BYTES - written({ tools: [tool] }).length;
  const full = written({ tools: [{ ...tool, description: "x".repeat(rest) }] });
  assertEquals([full.length, refusal(full)], [MAX_CATALOG_BYTES, null]);
  assertEquals(
    writeCatalogRecord(KEY, { ...ENTRY, tools: [{ ...tool, description: "x".repeat(rest + 1) }] }),
    null,
  );
});

test("any tools come back as they were, whatever their members are called", () => {
  fc.assert(fc.property(fc.array(exactJson), (extras) => {
    const tools = extras.map((extra, at) => ({ name: `t${at}`, inputSchema: {}, extra }));
    const reading = readCatalogRecord(written({ tools }), KEY);
    assert(reading.kind === "entry");
    assertEquals(JSON.stringify(reading.entry.tools), JSON.stringify(tools));
  }));
});

test("a member called __proto__ stays a member", () => {
  const text = written().replace('"title":"Echo"', '"__proto__":{"polluted":true}');
  const reading = readCatalogRecord(text, KEY);
  assert(reading.kind === "entry");
  assertEquals((reading.entry.tools[0] as Record<string, unknown>)["polluted"], undefined);
  assertEquals(Object.keys(reading.entry.tools[0] ?? {}).includes("__proto__"), true);
  assertEquals(refusal(`{"__proto__":${written()}}`), "unknown-version");
});

test("whatever a file holds, the reader names a refusal or gives a whole entry", () => {
  const text = written();
  const cut = fc.nat(text.length);
  const damaged = fc.oneof(
    fc.string(),
    fc.json(),
    cut.map((at) => text.slice(0, at)),
    fc.tuple(cut, fc.string(), fc.nat(9)).map(([at, put, gone]) =>
      text.slice(0, at) + put + text.slice(at + gone)
    ),
    fc.dictionary(fc.constantFrom(...Object.keys(JSON.parse(text))), fc.jsonValue()).map(changed),
    fc.constantFrom("[".repeat(100_000), `${'{"a":'.repeat(50_000)}1`, "9".repeat(1e5)),
  );
  fc.assert(
    fc.property(damaged, (bad) => {
      const reading = readCatalogRecord(bad, KEY);
      if (reading.kind === "refused") return;
      const again = writeCatalogRecord(KEY, reading.entry);
      assert(again !== null);
      assertEquals(readCatalogRecord(again, KEY), reading);
    }),
    { numRuns: 500 },
  );
});
