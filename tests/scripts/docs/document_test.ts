import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { readDocument } from "../../../scripts/docs/document.ts";

const TEXT = `# A \`b\` and c: _d_

[in](other.md#place) ![picture](a.svg) <https://example.org>

<p align="center"><img src="b.svg" alt=""></p>
<a id="here"></a>

<!-- tests/a.ts -->

\`\`\`ts ignore
const a = 1;
\`\`\`

Text with \`codex-mcp status\`.

\`\`\`sh
one

two
\`\`\`

    indented, and no block

- in a list:

  ~~~toml
  a = 1
  ~~~

## A b and c: d

<!-- test: tests/a_test.ts "it holds" -->

[later]: later.md
`;

test("a document's blocks have language, attributes, mark, line and code", () => {
  const { blocks } = readDocument(TEXT);
  assertEquals(blocks.map(({ range: _, ...block }) => block), [
    { language: "ts", attributes: ["ignore"], mark: "tests/a.ts", code: "const a = 1;", line: 10 },
    { language: "sh", attributes: [], mark: null, code: "one\n\ntwo", line: 16 },
    { language: "toml", attributes: [], mark: null, code: "a = 1", line: 26 },
  ]);
  assertEquals(blocks.map(({ range: [begin, end] }) => TEXT.slice(begin, end).split("\n").length), [3, 5, 3]);
});

test("a document's links are those of Markdown and of HTML", () => {
  assertEquals(readDocument(TEXT).links.map(({ text, line }) => `${line} ${text}`), [
    "3 other.md#place",
    "3 a.svg",
    "3 https://example.org",
    "5 b.svg",
    "34 later.md",
  ]);
});

test("a document's anchors are its headings, each once, and its ids", () => {
  assertEquals([...readDocument(TEXT).anchors].sort(), ["a-b-and-c-d", "a-b-and-c-d-1", "here"]);
});

test("a document's code in the text and its comments are found", () => {
  const { spans, comments } = readDocument(TEXT);
  assertEquals(spans.map(({ text }) => text), ["b", "codex-mcp status"]);
  assertEquals(comments.map(({ text }) => text), ["tests/a.ts", 'test: tests/a_test.ts "it holds"']);
});

test("a block in a comment is none", () => {
  assertEquals(readDocument("<!--\n```ts\na\n```\n-->\n").blocks, []);
});
