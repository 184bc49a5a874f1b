import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { plainJsonText } from "../../../adapters/configuration/json_comments.ts";

test("plainJsonText: comments and commas before a closing bracket become blanks", () => {
  const text = '{ // one\n "a": [1, /* two,\n */ 2, ], "b": "//,]", /* x */ }\n';
  const plain = plainJsonText(text);
  assertEquals(JSON.parse(plain), { a: [1, 2], b: "//,]" });
  assertEquals([plain.length, plain.split("\n").length], [text.length, text.split("\n").length]);
});

test("plainJsonText: a comma and its bracket with comments between them", () => {
  assertEquals(JSON.parse(plainJsonText("[1, // a\n /* b */ ]")), [1]);
  assertEquals(plainJsonText("[1,,]"), "[1, ]");
  assertEquals(plainJsonText("[,]"), "[ ]");
});

test("plainJsonText: JSON stays as it is", () => {
  fc.assert(fc.property(fc.json(), (text) => assertEquals(plainJsonText(text), text)));
});

test("plainJsonText: any text keeps its length and its lines", () => {
  const part = fc.constantFrom('"', "\\", "/", "*", "//", "/*", "*/", ",", "]", "}", "\n", "\r\n", "a", " ");
  fc.assert(fc.property(fc.array(part), (parts) => {
    const text = parts.join("");
    const plain = plainJsonText(text);
    assertEquals([plain.length, plain.split("\n").length], [text.length, text.split("\n").length]);
  }));
});
