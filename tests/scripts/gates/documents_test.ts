import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkDocuments } from "../../../scripts/gates/documents.ts";
import { findingsIn, lines } from "./_seed.ts";

async function found(document: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return lines(await findingsIn(checkDocuments, { "docs/page.md": document, ...files }));
}

test("documents gate: a document that is true passes", async () => {
  const document = `# Page

[the README](../README.md#seeded), [here](#page), [away](https://example.org/nothing)

<!-- examples/double.ts -->

\`\`\`ts ignore
console.log(2);
\`\`\`

<!-- types only -->

\`\`\`ts ignore
import { double } from "@codex-mcp/seeded";

export const four: number = double(2);
\`\`\`

\`\`\`ts
console.log(1);
\`\`\`

\`\`\`sh
codex-mcp status --json
\`\`\`

<!-- test: tests/core/errors_test.ts "export" -->
`;
  assertEquals(await found(document, { "examples/double.ts": "// prints\nconsole.log(2);\n" }), []);
});

const FENCE = "```";

for (
  const [name, document, what] of [
    ["an untied ignore", `${FENCE}ts ignore\na\n${FENCE}\n`, "docs/page.md:1 is neither run nor checked"],
    [
      "an attribute that means nothing",
      `${FENCE}ts no-run\n1;\n${FENCE}\n`,
      'docs/page.md:1 has "no-run" after its fence, which means nothing',
    ],
    ["a block of no language", `${FENCE}\na\n${FENCE}\n`, "docs/page.md:1 is a block of no language"],
    [
      "a file that is gone",
      `<!-- tests/gone.ts -->\n\n${FENCE}ts ignore\na\n${FENCE}\n`,
      "docs/page.md:3 shows tests/gone.ts, which is not there",
    ],
    [
      "a file that nobody checks",
      `<!-- docs/a.ts -->\n\n${FENCE}ts ignore\na\n${FENCE}\n`,
      "docs/page.md:3 shows docs/a.ts, whose types nobody checks",
    ],
    [
      "a block that differs",
      `<!-- tests/core/errors_test.ts -->\n\n${FENCE}ts ignore\nexport {} ;\n${FENCE}\n`,
      "docs/page.md:4 is not what the file says that it shows",
    ],
    ["a link to nothing", "[a](gone.md)\n", 'docs/page.md:1 "gone.md" leads to nothing'],
    [
      "a link to no heading",
      "[a](../README.md#gone)\n",
      'docs/page.md:1 "../README.md#gone" leads to no heading',
    ],
    [
      "a link from the root",
      "[a](/README.md)\n",
      'docs/page.md:1 "/README.md" begins with a slash, which is another place on every site',
    ],
    ["a picture that is gone", '# A\n\n<img src="gone.svg">\n', 'docs/page.md:3 "gone.svg" leads to nothing'],
    [
      "a flag that is gone",
      "Run `codex-mcp status --gone`.\n",
      "docs/page.md:1 gives codex-mcp status --gone, which it does not know",
    ],
    [
      "a task that is gone",
      `${FENCE}sh\n\ndeno task gone\n${FENCE}\n`,
      "docs/page.md:3 runs the task gone, which deno.json does not have",
    ],
    [
      "a test that is gone",
      "<!-- test: tests/gone_test.ts -->\n",
      "docs/page.md:1 names tests/gone_test.ts, which is not there",
    ],
    [
      "a test in a list",
      "1. a\n   <!-- test: tests/gone_test.ts -->\n",
      "docs/page.md:2 names tests/gone_test.ts, which is not there",
    ],
    [
      "a test by another name",
      '<!-- test: tests/core/errors_test.ts "gone" -->\n',
      'docs/page.md:1 names a test "gone", which tests/core/errors_test.ts does not have',
    ],
    [
      "TOML that is none",
      `${FENCE}toml\na = \n${FENCE}\n`,
      "docs/page.md:1 cannot be parsed: it is no TOML (column 5). Correct it.",
    ],
  ] as const
) {
  test(`documents gate: ${name} is found`, async () => {
    assertEquals(await found(document, { "docs/a.ts": "a\n" }), [what]);
  });
}

test("documents gate: code in a document that no suite runs is found", async () => {
  const document = `${FENCE}ts\nconsole.log(1);\n${FENCE}\n`;
  const findings = await findingsIn(checkDocuments, { "tests/page.md": document });
  assertEquals(lines(findings), ["tests/page.md:1 stands in a document whose code nobody runs"]);
});

test("documents gate: wrong types in a block that is not run are found", async () => {
  const document = `<!-- types only -->\n\n${FENCE}ts ignore\nexport const a: number = "1";\n${FENCE}\n`;
  const [first = "", ...others] = await found(document);
  assertEquals(others, []);
  assert(first.includes("TS2322") && first.includes("docs_page_md_line_3.ts"), first);
});

test("documents gate: a part of a program is checked with what its mark says of the rest", async () => {
  const block = `${FENCE}ts ignore\nexport const b: number = a;\n${FENCE}\n`;
  assertEquals(await found(`<!-- types only\ndeclare const a: number;\n-->\n\n${block}`), []);
  const [first = ""] = await found(`<!-- types only\ndeclare const a: string;\n-->\n\n${block}`);
  assert(first.includes("TS2322"), first);
});
