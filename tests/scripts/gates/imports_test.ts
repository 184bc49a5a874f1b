import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { folderOf, resolveRelative, scanImports } from "../../../scripts/gates/imports.ts";

test("scanImports finds every form, and nothing in comments and strings", () => {
  const text = [
    'import a from "./a.ts";',
    'import type { B } from "./b.ts";',
    "import {",
    "  type C,",
    "  d,",
    '} from "./c.ts";',
    'import { type E } from "./e.ts";',
    'import "./f.ts";',
    'export { g } from "./g.ts";',
    'export * as h from "./h.ts";',
    '// import x from "./comment.ts";',
    "const text = 'import y from \"./string.ts\"';",
    'const i = await import("./i.ts");',
    'export const from = "./not.ts";',
  ].join("\n");
  assertEquals(
    scanImports(text).map(({ specifier, typeOnly, dynamic, line }) => [specifier, typeOnly, dynamic, line]),
    [
      ["./a.ts", false, false, 1],
      ["./b.ts", true, false, 2],
      ["./c.ts", false, false, 3],
      ["./e.ts", true, false, 7],
      ["./f.ts", false, false, 8],
      ["./g.ts", false, false, 9],
      ["./h.ts", false, false, 10],
      ["./i.ts", false, true, 13],
    ],
  );
});

test("resolveRelative follows the folders; other specifiers are not relative", () => {
  assertEquals(resolveRelative("core/sandbox/a.ts", "../json/b.ts"), "core/json/b.ts");
  assertEquals(resolveRelative("mod.ts", "./core/a.ts"), "core/a.ts");
  assertEquals(resolveRelative("mod.ts", "node:fs"), null);
  assertEquals([folderOf("a/b/c.ts"), folderOf("c.ts")], ["a/b", ""]);
});
