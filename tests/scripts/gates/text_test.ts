import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkText } from "../../../scripts/gates/text.ts";
import { findingsIn, lines } from "./_seed.ts";

test("text gate: a clean tree passes", async () => {
  assertEquals(await findingsIn(checkText), []);
});

const HOST = ["registry", "npmjs", "org"].join(".");
const SILENCE = ["@ts", "ignore"].join("-");
const LATER = ["TO", "DO"].join("");
const PLACE = ["", "work", "main"].join("/");
const CASES: readonly (readonly [string, string])[] = [
  [`// see ${HOST}`, `names a registry host: ${HOST}`],
  [`const a = "${PLACE}/x";`, `names a path of one machine: ${PLACE}`],
  [`// ${SILENCE}`, `silences the type checker: ${SILENCE}`],
  [`// ${LATER} later`, `leaves work behind: ${LATER}`],
  ["let a: any;", "uses the type that switches types off: : any"],
  ["f(b as any);", "uses the type that switches types off: as any"],
  ["const m: Map<string, any> = f();", "uses the type that switches types off: , any"],
  ['test.only("x", f);', "leaves tests out: .only("],
  ['test("x", { skip: true }, f);', "leaves tests out: skip: true"],
  ["try {\n  f();\n} catch {}", "swallows an error: catch {}"],
  ['Deno.test("x", f);', "is bound to one runner: Deno.test"],
];

for (const [code, what] of CASES) {
  test(`text gate: ${what}`, async () => {
    const found = lines(await findingsIn(checkText, { "scripts/bad.ts": `${code}\n` }));
    assertEquals(found.map((line) => line.replace(/^scripts\/bad\.ts:\d+ /, "")), [what]);
  });
}

test("text gate: the root of the tree itself is not named", async () => {
  const findings = await findingsIn((root) => {
    Deno.writeTextFileSync(`${root}/README.md`, `cd ${root}\n`);
    return checkText(root);
  });
  assertEquals(findings.map(({ where }) => where), ["README.md:1"]);
});

test("text gate: the words may stand in prose and strings", async () => {
  const code = '/** Takes any value, .only( one. */\nexport const a = "as any";\nexport const any = 1;\n';
  assertEquals(await findingsIn(checkText, { "scripts/good.ts": code }), []);
});
