import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { visibleText } from "../../../../adapters/cli/terminal/visible_text.ts";

test("lines, tabs and letters stay; what moves the cursor or turns the writing does not", () => {
  assertEquals(visibleText("a\tb\r\nc\n"), "a\tb\nc\n");
  assertEquals(visibleText("👨‍👩‍👧 é नमस्ते"), "👨‍👩‍👧 é नमस्ते");
  for (const code of [0, 7, 8, 0x0b, 0x0d, 0x1b, 0x7f, 0x9b, 0x200e, 0x2028, 0x202e, 0x2066]) {
    assertEquals(visibleText(`a${String.fromCodePoint(code)}b`), "a\ufffdb", code.toString(16));
  }
});
