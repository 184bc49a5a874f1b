import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { blank } from "../../../scripts/gates/source_text.ts";

const CASES: readonly (readonly [string, string, string])[] = [
  ["a line comment", "a // b\nc", "a     \nc"],
  ["a block comment keeps its lines", "a /* b\n*/ c", "a     \n   c"],
  ["a string", 'a("b // c")', 'a("      ")'],
  ["an escaped quote", String.raw`a("b\"c") // d`, 'a("    ")     '],
  ["a template and the code in it", "`b${c + `d`}e` // f", "` ${c + ` `} `     "],
  ["a brace in a template's code", "`b${f({ c })}d`;", "` ${f({ c })} `;"],
  ["a regular expression", 'a(/b"[/]c/) // d', "a(/      /)     "],
  ["a division", "a / b / c // d", "a / b / c     "],
];

for (const [name, text, expected] of CASES) {
  test(`blank: ${name}`, () => assertEquals(blank(text, { strings: true }), expected));
}

test("blank: strings may stay", () => {
  assertEquals(blank('a("// b") // c', { strings: false }), 'a("// b")     ');
});
