import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkErrors } from "../../../scripts/gates/errors.ts";
import { findingsIn, lines, source } from "./_seed.ts";

test("errors gate: coded errors pass", async () => {
  assertEquals(await findingsIn(checkErrors), []);
});

const EXTENDS = 'import { CodexMcpError } from "../../core/errors.ts";\n';
const CASES: readonly (readonly [string, string, string])[] = [
  [
    "an error of another family",
    "export class LoneError extends Error {}",
    "LoneError does not extend CodexMcpError",
  ],
  [
    "an error that loses its code",
    `${EXTENDS}export class LostError extends CodexMcpError {
  override readonly name = "LostError";
  constructor(_code: string, message: string) {
    super("", message);
  }
}`,
    'LostError has no code of its own: ""',
  ],
  [
    "an error without its own name",
    `${EXTENDS}export class PlainError extends CodexMcpError {}`,
    "PlainError calls itself Error",
  ],
];

for (const [name, code, what] of CASES) {
  test(`errors gate: ${name} is found`, async () => {
    const findings = await findingsIn(checkErrors, { "adapters/deno/mod.ts": source(`${code}\n`) });
    assertEquals(lines(findings), [`./adapters/deno/mod.ts ${what}`]);
  });
}
