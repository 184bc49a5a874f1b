import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkComments } from "../../../scripts/gates/comments.ts";
import { findingsIn, lines, source } from "./_seed.ts";

test("comments gate: a tidy tree passes", async () => {
  assertEquals(await findingsIn(checkComments), []);
});

const CODE = "export interface A {\n  readonly f: () => void;\n}\n";
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ["a neighbour", "// `double.ts` decides\n", []],
  ["a file seen from a folder above", "// `sandbox/double.ts` and `core/sandbox/double.ts` decide\n", []],
  ["a file that is not there", "// `triple.ts` decides\n", [
    "core/sandbox/a.ts:7 names triple.ts, which is not there",
  ]],
  ["a file of another folder", "// `errors_of.ts`, `deno/errors.ts`\n", [
    "core/sandbox/a.ts:7 names errors_of.ts, which is not there",
    "core/sandbox/a.ts:7 names deno/errors.ts, which is not there",
  ]],
  ["a long line", `// ${"x".repeat(118)}\n`, ["core/sandbox/a.ts:7 121 columns, at most 120"]],
  ["the row of a table", `/**\n * | ${"x".repeat(118)} |\n */\n`, []],
  ["a long line of code", `export type B = "${"x".repeat(118)}";\n`, []],
];

for (const [name, text, expected] of CASES) {
  test(`comments gate: ${name}`, async () => {
    const files = { "core/sandbox/a.ts": source(text + CODE) };
    assertEquals(lines(await findingsIn(checkComments, files)), [...expected]);
  });
}
