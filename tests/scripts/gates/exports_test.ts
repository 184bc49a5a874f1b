import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkExports } from "../../../scripts/gates/exports.ts";
import { findingsIn, lines, source } from "./_seed.ts";

test("exports gate: the listed surface passes", async () => {
  assertEquals(await findingsIn(checkExports), []);
});

test("exports gate: a new name and a lost name are found", async () => {
  const files = {
    "tests/scripts/exports.json": JSON.stringify({ ".": ["CodexMcpError", "ThingError", "half"] }),
  };
  assertEquals(lines(await findingsIn(checkExports, files)), [
    'tests/scripts/exports.json "." exports double, which is not listed',
    'tests/scripts/exports.json "." no longer exports half',
  ]);
});

test("exports gate: a star is found", async () => {
  const files = { "adapters/deno/mod.ts": source('export * from "./process_id.ts";\n') };
  assertEquals(lines(await findingsIn(checkExports, files)), [
    "adapters/deno/mod.ts:7 exports everything of a module",
  ]);
});

test("exports gate: a module that breaks when it is loaded is found", async () => {
  const files = { "adapters/deno/mod.ts": source('throw new Error("no");\n') };
  assertEquals(lines(await findingsIn(checkExports, files)), [
    'deno.json "./deno" cannot be imported: Error: no',
  ]);
});
