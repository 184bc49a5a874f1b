import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkDocs } from "../../../scripts/gates/docs.ts";
import { findingsIn, GOOD_TREE, lines, source } from "./_seed.ts";

const DOUBLE = GOOD_TREE["core/sandbox/double.ts"] ?? "";

test("docs gate: a documented tree passes", async () => {
  assertEquals(await findingsIn(checkDocs), []);
});

test("docs gate: an export without a docstring is found", async () => {
  const bare = source("export function processId(): number {\n  return 1;\n}\n");
  const what = (await findingsIn(checkDocs, { "adapters/deno/process_id.ts": bare })).map(({ where }) =>
    where
  );
  assertEquals([...new Set(what.map((where) => where.replace(/:.*/, "")))], ["adapters/deno/process_id.ts"]);
});

test("docs gate: a type that is used and not exported is found", async () => {
  const hidden = source(
    "interface Hidden {\n  readonly a: 1;\n}\n\n/** Id. */\nexport function processId(): Hidden {\n  return { a: 1 };\n}\n",
  );
  assertEquals(lines(await findingsIn(checkDocs, { "adapters/deno/process_id.ts": hidden })), [
    "adapters/deno/process_id.ts:12:1 public type 'processId' references private type 'Hidden' (private-type-ref)",
  ]);
});

test("docs gate: a module without a header is found", async () => {
  const files = { "core/bare.ts": "/** One. */\nexport const one = 1;\n" };
  assertEquals(lines(await findingsIn(checkDocs, files)), ["core/bare.ts has no module header"]);
});

for (
  const [line, what] of [
    ["@throws {ThingError} `THING_LOST` when", "ThingError has no code THING_LOST"],
    ["@throws {ThingError} when", "@throws {ThingError} names no code"],
    ["@throws ThingError `THING_MISSING` when", "@throws names no class"],
  ] as const
) {
  test(`docs gate: ${what}`, async () => {
    const text = DOUBLE.replace("@throws {ThingError} `THING_MISSING` when", line);
    assertEquals(lines(await findingsIn(checkDocs, { "core/sandbox/double.ts": text })), [
      `core/sandbox/double.ts:12 ${what}`,
    ]);
  });
}

test("docs gate: an export key that leads nowhere is found", async () => {
  const config = JSON.parse(GOOD_TREE["deno.json"] ?? "") as { exports: Record<string, string> };
  config.exports["./gone"] = "./gone.ts";
  assertEquals(lines(await findingsIn(checkDocs, { "deno.json": JSON.stringify(config) })), [
    "deno.json ./gone.ts is exported and not there",
  ]);
});
