import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { line } from "../../../../scripts/docs/picture/shapes.ts";

const LOOK = { look: "plain", size: 10, width: 100 } as const;

test("text is escaped", () => {
  assertEquals(line("a < b & c", [1, 2], LOOK).includes(">a &lt; b &amp; c</text>"), true);
});

test("text that does not fit is an error", () => {
  line("x".repeat(18), [0, 0], LOOK);
  assertThrows(() => line("x".repeat(19), [0, 0], LOOK), Error, "is 105 wide, and has 100");
});
