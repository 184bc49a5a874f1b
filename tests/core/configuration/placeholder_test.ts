import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type ExpandOptions, expandPlaceholders } from "../../../core/configuration/placeholder.ts";

const options: ExpandOptions = {
  environment: { TOKEN: "secret-7", EMPTY: "" },
  workspace: "/work/project",
  home: "/home/dev",
  shared: false,
};

function expand(text: string, changes: Partial<ExpandOptions> = {}): string {
  const { text: expanded, flaw } = expandPlaceholders(text, { ...options, ...changes });
  return flaw === undefined ? expanded : flaw[0];
}

test("expandPlaceholders: variables, as other hosts write them", () => {
  const cases = {
    "Bearer ${env:TOKEN}": "Bearer secret-7",
    "${TOKEN}${TOKEN}": "secret-7secret-7",
    "[${EMPTY}]": "[]",
    "${MISSING:-other}": "other",
    "${MISSING:-}": "",
    "${TOKEN:-other}": "secret-7",
    "${workspaceFolder}${/}a": "/work/project/a",
    "${userHome}/.cache": "/home/dev/.cache",
    "$TOKEN ${ $ {TOKEN}": "$TOKEN ${ $ {TOKEN}",
  };
  for (const [text, expected] of Object.entries(cases)) assertEquals(expand(text), expected, text);
  assertEquals(expand("${pathSeparator}", { workspace: "C:\\work" }), "\\");
});

test("expandPlaceholders: a value is put in as it is, and not expanded again", () => {
  assertEquals(expand("${A}", { environment: { A: "${B} $& $1", B: "no" } }), "${B} $& $1");
});

test("expandPlaceholders: what cannot be filled is told with its name", () => {
  assertEquals(expand("${env:MISSING}"), "VARIABLE_MISSING");
  assertEquals(expand("${MISSING}"), "VARIABLE_MISSING");
  assertEquals(expand("${toString}"), "VARIABLE_MISSING");
  assertEquals(expand("${input:key}"), "PLACEHOLDER_UNKNOWN");
  assertEquals(expand("${command:x}"), "PLACEHOLDER_UNKNOWN");
  const { workspace: _workspace, home: _home, ...bare } = options;
  for (const text of ["${workspaceFolder}", "${userHome}"]) {
    assertEquals(expandPlaceholders(text, bare).flaw?.[0], "PLACEHOLDER_UNKNOWN");
  }
  const { flaw } = expandPlaceholders("${env:MISSING} ${input:x}", options);
  assertEquals(flaw, [
    "VARIABLE_MISSING",
    'the variable "MISSING" is not set. Set it where the host is started.',
  ]);
});

test("expandPlaceholders: in a shared text a shell keeps its own", () => {
  const shared = { shared: true };
  assertEquals(expand("echo ${TOKEN} ${X:-y} ${env:TOKEN}", shared), "echo ${TOKEN} ${X:-y} secret-7");
  assertEquals(expand("${workspaceFolder}", shared), "/work/project");
  assertEquals(expand("${input:x}", shared), "PLACEHOLDER_UNKNOWN");
  assertEquals(expand("${env:MISSING}", shared), "VARIABLE_MISSING");
});

test("expandPlaceholders: a text without placeholders stays, whatever it holds", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, shared) => {
    if (text.includes("${")) return;
    assertEquals(expandPlaceholders(text, { ...options, shared }).text, text);
  }));
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("$", "{", "}", ":", "-", "env", "TOKEN", "input", "\n")),
      (parts) => {
        const { text, flaw } = expandPlaceholders(parts.join(""), options);
        assertEquals(typeof text === "string" || JSON.stringify(flaw).includes("secret-7") === false, true);
      },
    ),
  );
});
