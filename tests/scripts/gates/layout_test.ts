import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkLayout } from "../../../scripts/gates/layout.ts";
import { findingsIn, lines, source } from "./_seed.ts";

test("layout gate: a tidy tree passes", async () => {
  assertEquals(await findingsIn(checkLayout), []);
});

const TYPES = source("export interface A {\n  readonly f: () => void;\n}\n");
const CASES: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ["camel case", { "core/aB.ts": TYPES }, ['core/aB.ts "aB" is not snake_case']],
  ["a dash", { "core/a-b.ts": TYPES }, ['core/a-b.ts "a-b" is not snake_case']],
  ["a name that says nothing", { "core/utils/a.ts": TYPES }, ['core/utils/a.ts "utils" says nothing']],
  ["an index", { "core/x/index.ts": TYPES }, ["core/x/index.ts is an index.ts"]],
  ["a long source", { "core/long.ts": TYPES + "\n".repeat(195) }, ["core/long.ts 204 lines, at most 200"]],
  ["a long script", { "scripts/long.ts": "\n".repeat(301) }, ["scripts/long.ts 301 lines, at most 300"]],
  ["a source without a test", { "core/lone.ts": source("export const a = 1;\n") }, [
    "core/lone.ts has no test",
  ]],
  [
    "a test without a source",
    { "tests/core/lone_test.ts": "export {};\n" },
    ["tests/core/lone_test.ts tests no file: core/lone.ts is not there"],
  ],
  ["a test beside its source", { "core/sandbox/double_test.ts": TYPES }, [
    "core/sandbox/double_test.ts a test outside tests/",
  ]],
];

for (const [name, files, expected] of CASES) {
  test(`layout gate: ${name} is found`, async () => {
    assertEquals(lines(await findingsIn(checkLayout, files)), [...expected]);
  });
}

test("layout gate: types need no test, one source may have several, real components none", async () => {
  const files = {
    "core/ports/file.ts": TYPES,
    "tests/core/sandbox/double_forged_test.ts": "export {};\n",
    "tests/real/codex_test.ts": "export {};\n",
  };
  assertEquals(await findingsIn(checkLayout, files), []);
});
