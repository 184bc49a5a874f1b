import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  JSON_SYNTAX,
  readKey,
  scalarEnd,
  skipBlank,
  TOML_SYNTAX,
} from "../../../adapters/configuration/value_tokens.ts";

test("skipBlank: line ends, and comments in TOML", () => {
  assertEquals(skipBlank(" \t\r\n# a\n  # b\nx", 0, TOML_SYNTAX), 14);
  assertEquals(skipBlank("# no end", 0, TOML_SYNTAX), 8);
  assertEquals(skipBlank("  # a", 0, JSON_SYNTAX), 2);
});

test("scalarEnd: each kind of string, and words", () => {
  const ends: readonly (readonly [string, number])[] = [
    ['"a\\"b" x', 6],
    ["'a\\' x", 4],
    ['"""a\n"b""" x', 10],
    ['"""a\\"""" x', 9],
    ['"""a""""" x', 9],
    ["'''a'\n''' x", 9],
    ['"" x', 2],
    ['"""""" x', 6],
    ['"no end\nx', 7],
    ['"""no end', 9],
    ["12.5, x", 4],
    ["true] x", 4],
    ["1 # c", 2],
    [",", 0],
  ];
  for (const [text, end] of ends) assertEquals(scalarEnd(text, 0, TOML_SYNTAX), end, text);
  assertEquals(scalarEnd('"" "', 0, JSON_SYNTAX), 2);
  assertEquals(scalarEnd("'a'", 0, JSON_SYNTAX), 3);
  assertEquals([scalarEnd("#", 0, JSON_SYNTAX), scalarEnd("#", 0, TOML_SYNTAX)], [1, 1]);
});

test("readKey: bare, quoted and dotted, decoded", () => {
  const keys: readonly (readonly [string, readonly string[]])[] = [
    ["a =", ["a"]],
    ["a . b-c.\"d e\" . 'f\\g' =", ["a", "b-c", "d e", "f\\g"]],
    ['"\\u00e9\\U0001F600\\x41\\n\\"" =', ['é😀A\n"']],
    ["1.2 =", ["1", "2"]],
    ['"" =', [""]],
  ];
  for (const [text, steps] of keys) assertEquals(readKey(text, 0, TOML_SYNTAX).steps, steps, text);
  assertEquals(readKey('"a.b" :', 0, JSON_SYNTAX), { steps: ["a.b"], end: 5 });
});

test("readKey: what is no key", () => {
  for (const text of ["", "=", "a.", "a..b", "é"]) {
    assertEquals(readKey(text, 0, TOML_SYNTAX).steps, null, text);
  }
  assertEquals(readKey("a:", 0, JSON_SYNTAX).steps, null);
  assertEquals(readKey("a.b.", 0, TOML_SYNTAX).end, 4);
});
