import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { shown, visible } from "../../../../adapters/cli/terminal/shown.ts";

test("what is visible stays, what moves or turns is replaced", () => {
  assertEquals(shown("Zoë <zoe@acme.example> 漢字 😀"), "Zoë <zoe@acme.example> 漢字 😀");
  assertEquals(shown("a\u001b[31mb\u009bc\nd\u202ee\u2066f\u200bg\u2028h\u007f"), "a�[31mb�c�d�e�f�g�h�");
});

test("what is long is cut between characters", () => {
  assertEquals(shown("x".repeat(120)).length, 120);
  assertEquals(shown("x".repeat(500)), `${"x".repeat(119)}…`);
  assertEquals([...shown("😀".repeat(100))].length <= 120, true);
});

test("a long message is not cut", () => {
  assertEquals(visible(`${"x".repeat(500)}\u009b`), `${"x".repeat(500)}\ufffd`);
});
