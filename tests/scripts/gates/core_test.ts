import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { checkCore } from "../../../scripts/gates/core.ts";
import { findingsIn, lines, source } from "./_seed.ts";

test("core gate: a pure core passes", async () => {
  assertEquals(await findingsIn(checkCore), []);
});

for (
  const name of [
    "console.log(1)",
    "Deno.pid",
    "process.pid",
    "fetch('x:y')",
    "setTimeout(() => {}, 1)",
    "crypto",
  ]
) {
  test(`core gate: ${name} is refused by its type`, async () => {
    const bad = source(`/** Bad. */\nexport function bad(): unknown {\n  return ${name};\n}\n`);
    const findings = await findingsIn(checkCore, { "core/bad.ts": bad });
    assertEquals(findings.length, 1);
    assertStringIncludes(lines(findings)[0] ?? "", "core/bad.ts:9 Cannot find name");
  });
}

for (
  const [code, what] of [
    ["export let count = 0;", "holds module-level state that can change"],
    [
      "const cache = new Map<string, string>();\nexport const size: number = cache.size;",
      "holds a module-level collection",
    ],
    ["export const now = (): number => Date.now();", "reads the clock"],
    ["export const dice = (): number => Math.random();", "makes random values"],
    ['export const load = (): Promise<unknown> => import("./errors.ts");', "imports while it runs"],
  ] as const
) {
  test(`core gate: text that ${what} is refused`, async () => {
    const findings = await findingsIn(checkCore, { "core/bad.ts": source(`${code}\n`) });
    assertEquals(findings.length, 1);
    assertStringIncludes(lines(findings)[0] ?? "", `core/bad.ts:7 ${what}`);
  });
}

test("core gate: words in comments and strings are no code", async () => {
  const good = source('/** Date.now() and Math.random(). */\nexport const text = "import(\\"x\\") let";\n');
  assertEquals(await findingsIn(checkCore, { "core/good.ts": good }), []);
});
