import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { terminalText } from "../../adapters/terminal_text.ts";

test("lines, tabs and letters stay; what a terminal obeys is handed over, one character at a time", () => {
  assertEquals(terminalText("a\r\nb\tc\n\u200d\u{1f600}", () => "?"), "a\nb\tc\n\u200d\u{1f600}");
  const unsafe = [
    "\0",
    "\b",
    "\v",
    "\r",
    "\u001b",
    "\u007f",
    "\u009b",
    "\u200e",
    "\u2028",
    "\u202e",
    "\u2066",
  ];
  const found: string[] = [];
  assertEquals(
    terminalText(unsafe.join("x"), (one) => {
      found.push(one);
      return "?";
    }),
    unsafe.map(() => "?").join("x"),
  );
  assertEquals(found, unsafe);
});
