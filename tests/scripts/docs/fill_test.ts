import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { fillDocument, firstDifference, shownCode, tiedPath } from "../../../scripts/docs/fill.ts";

const DOCUMENT =
  "# A\n\n<!-- examples/a.ts -->\n\n```ts ignore\nold\n```\n\n<!-- docs/b.toml -->\n\n```toml\nold\n```\n";

function read(path: string): string | null {
  return ({ "examples/a.ts": "// what it is\nconst a = 1;\n\nrun(a);\n", "docs/b.toml": "b = 2\n" })[path] ??
    null;
}

test("every tied block gets the code of its file", () => {
  assertEquals(
    fillDocument(DOCUMENT, read),
    "# A\n\n<!-- examples/a.ts -->\n\n```ts ignore\nconst a = 1;\n\nrun(a);\n```\n\n<!-- docs/b.toml -->\n\n```toml\nb = 2\n```\n",
  );
});

test("filling a filled document changes nothing", () => {
  const filled = fillDocument(DOCUMENT, read);
  assertEquals(fillDocument(filled, read), filled);
});

test("a block in a list keeps its place", () => {
  const list = "- a:\n\n  <!-- examples/a.ts -->\n\n  ```ts ignore\n  old\n  ```\n";
  const filled = fillDocument(list, read);
  assertEquals(
    filled,
    "- a:\n\n  <!-- examples/a.ts -->\n\n  ```ts ignore\n  const a = 1;\n\n  run(a);\n  ```\n",
  );
  assertEquals(fillDocument(filled, read), filled);
});

test("a block whose file is not there stays", () => {
  assertEquals(fillDocument(DOCUMENT, () => null), DOCUMENT);
});

test("other comments tie nothing", () => {
  assertEquals(["types only", "configuration: part", "a.ts", "../a/b.ts", null].map(tiedPath), [
    null,
    null,
    null,
    null,
    null,
  ]);
  assertEquals(tiedPath("examples/hosts/agent.ts"), "examples/hosts/agent.ts");
});

test("a module header and a first comment are not shown, other comments are", () => {
  assertEquals(shownCode("/**\n * What it is.\n *\n * @module\n */\n\nrun(); // now\n"), "run(); // now");
  assertEquals(
    shownCode("/** A function. */\nfunction a(): void {}\n"),
    "/** A function. */\nfunction a(): void {}",
  );
});

test("the line of a difference is told", () => {
  assertEquals(firstDifference("a\nb\nc\n", "a\nb\nd\n"), 3);
});
