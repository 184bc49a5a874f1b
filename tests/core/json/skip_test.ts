import { assertEquals, assertInstanceOf, assertThrows, fail } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { JsonError } from "../../../core/errors.ts";
import {
  keyOf,
  skipColon,
  skipEnd,
  skipNumber,
  skipSpace,
  skipString,
  skipValue,
} from "../../../core/json/skip.ts";
import { anyText, exactJson } from "../arbitrary_json.ts";
import { drawFrom, spell } from "./spelling.ts";

/** Checks a whole text, as the callers of the module do. */
function checkText(text: string): void {
  skipEnd(text, skipValue(text, skipSpace(text, 0)));
}

/** Where `text` stops being JSON; `null` when it is JSON to its end. */
function flawOf(text: string): number | null {
  try {
    checkText(text);
    return null;
  } catch (error) {
    assertInstanceOf(error, JsonError);
    assertEquals(error.code, "JSON_MALFORMED");
    return error.offset ?? fail("a malformed text has an offset");
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("every value is skipped to its end and no further", () => {
  const values = ["null", "true", "false", "0", "-0", "10.50E+7", '""', '"\\""', "[]", "{}", '[1,{"a":[ ]}]'];
  for (const value of values) {
    for (const after of ["", " ", ",", "]", "}", '"', ":"]) {
      assertEquals(skipValue(`  ${value}${after}`, 2), 2 + value.length, value + after);
    }
  }
});

test("a malformed text is refused at the first character that cannot be right", () => {
  const flaws: readonly (readonly [string, number])[] = [
    ["", 0],
    ["   ", 3],
    ["-", 1],
    ["-a", 1],
    ["01", 1],
    ["-01", 2],
    ["1.", 2],
    ["1.e5", 2],
    ["1e", 2],
    ["1e+", 3],
    ["1E-x", 3],
    ["+1", 0],
    [".5", 0],
    ["0x10", 1],
    ["1_0", 1],
    ["1n", 1],
    ["NaN", 0],
    ["Infinity", 0],
    ["-Infinity", 1],
    ["undefined", 0],
    ["tru", 3],
    ["trUe", 2],
    ["nulll", 4],
    ["False", 0],
    ['"', 1],
    ['"abc', 4],
    ['"\\', 2],
    ['"\\"', 3],
    ['"\\x"', 2],
    ['"\\u12"', 5],
    ['"\\u12g4"', 5],
    ['"\\U0041"', 2],
    ["'a'", 0],
    ['"\n"', 1],
    ['"\u0000"', 1],
    ['"a long string with its flaw far behind\u001f"', 39],
    ['"a long string with its flaw far behind\\q"', 40],
    ["[", 1],
    ["[1", 2],
    ["[1,", 3],
    ["[1,]", 3],
    ["[,1]", 1],
    ["[1 2]", 3],
    ["[1}", 2],
    ["]", 0],
    ["{", 1],
    ["{1:2}", 1],
    ['{"a"', 4],
    ['{"a"}', 4],
    ['{"a":', 5],
    ['{"a":}', 5],
    ['{"a":1', 6],
    ['{"a":1,', 7],
    ['{"a":1,}', 7],
    ['{"a":1]', 6],
    ['{"a" 1}', 5],
    ['{"a":1 "b":2}', 7],
    ["{a:1}", 1],
    ["1 2", 2],
    ["{}{}", 2],
    ["null\0", 4],
    ["\ufeff1", 0],
    ["1\ufeff", 1],
    ["\u00a01", 0],
    ["[\u00a01]", 1],
    ["[1\u2028]", 2],
    ["\v1", 0],
    ["\f1", 0],
    ["// 1\n1", 0],
    ["1/**/", 1],
  ];
  for (const [text, offset] of flaws) {
    assertEquals(parses(text), false, JSON.stringify(text));
    assertEquals(flawOf(text), offset, JSON.stringify(text));
  }
});

test("what is unusual and yet JSON is accepted", () => {
  const texts = [
    " \t\r\n1 \t\r\n",
    "-0",
    "-0.0e-0",
    "1e400",
    "1E0000000000000001",
    `1${"0".repeat(400)}`,
    '"\u007f\u0080\u2028\u2029\ufeff\uffff"',
    '"\ud800"',
    '"\\ud800\\udc00 \\uDC00 \\ud800"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000"',
    '"a string that is long enough to be searched, \\" with an escaped quote in it"',
    '"a string that is long enough to be searched and ends with a backslash\\\\"',
    '{"":{"":[[],{}]}}',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
  ];
  for (const text of texts) {
    assertEquals(parses(text), true, JSON.stringify(text));
    assertEquals(flawOf(text), null, JSON.stringify(text));
  }
});

test("every character of the first plane is judged as JSON.parse judges it, bare and in a string", () => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // most of these texts are refused, and what costs most of that is where it happened
  try {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      for (const text of [character + "1", `1${character}`, `"${character}"`, `"\\${character}"`]) {
        if (parses(text) !== (flawOf(text) === null)) fail(`they differ on ${JSON.stringify(text)}`);
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
});

test("any spelling of any value is accepted, and no longer with a character missing at its end", () => {
  fc.assert(fc.property(exactJson, fc.integer(), (value, seed) => {
    const text = spell(value, drawFrom(seed));
    assertEquals(flawOf(text), null);
    assertEquals(skipValue(text, 0), text.length);
    if (/^["[{tfn]/.test(text)) assertEquals(flawOf(text.slice(0, -1)), text.length - 1);
  }));
});

test("any text is accepted exactly where JSON.parse accepts it", () => {
  const jsonish = fc.string({ unit: fc.constantFrom(...'{}[],:"\\/utrue01-+.eE \n'), maxLength: 12 });
  fc.assert(
    fc.property(fc.oneof(anyText, jsonish), (text) => assertEquals(flawOf(text) === null, parses(text))),
    { numRuns: 2000 },
  );
});

test("keyOf gives the name that a key means", () => {
  fc.assert(fc.property(anyText, fc.integer(), (name, seed) => {
    assertEquals(keyOf(spell(name, drawFrom(seed))), name);
  }));
});

test("the parts of the grammar refuse to begin where they do not stand", () => {
  assertEquals(skipString('x"a"y', 1), 4);
  assertThrows(() => skipString('x"a"y', 0), JsonError, "at offset 0");
  assertEquals(skipNumber("[-1.5e3,", 1), 7);
  assertThrows(() => skipNumber("[x", 1), JsonError, "at offset 1");
  assertEquals(skipColon('"a" : 1', 3), 6);
  assertThrows(() => skipColon('"a" 1', 3), JsonError, "at offset 4");
  assertEquals(skipEnd("1 \n", 1), 3);
  assertThrows(() => skipEnd("1 x", 1), JsonError, "at offset 2");
});

test("a refusal shows nothing of the text", () => {
  const error = assertThrows(() => checkText('{"secret":"hunter2"'), JsonError);
  assertEquals(error.message, "Cannot read a JSON text: it is malformed at offset 19");
  assertEquals(error.cause, undefined);
});
