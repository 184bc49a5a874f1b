import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { JsonError } from "../../../core/errors.ts";
import { cutElements, cutJson } from "../../../core/json/scan.ts";
import { nestedText } from "../arbitrary_json.ts";
import { assertLinear } from "./growth.ts";

const PATHS = [["a"], ["b"], ["c", "d"]];

test("any depth will do, off the paths, at their end and along them", () => {
  for (const depth of [10_000, 100_000]) {
    for (const kind of ["array", "object"] as const) {
      const deep = nestedText(depth, kind);
      assertEquals(cutJson(`{"a":${deep},"x":${deep},"b":${deep}}`, PATHS), [deep, deep, undefined]);
      assertEquals(cutElements(`[${deep},${deep}]`), [deep, deep]);
      const cutOff = assertThrows(() => cutJson(deep.slice(0, -1), PATHS), JsonError);
      assertEquals(cutOff.offset, deep.length - 1);
    }
    const path = Array.from({ length: depth }, () => "a");
    assertEquals(cutJson(nestedText(depth, "object"), [path, [...path, "a"]]), ["1", undefined]);
  }
});

const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  "one long string": (size) => `{"a":"${"x".repeat(size)}"}`,
  "a long string of escapes": (size) => `{"a":"${'\\"'.repeat(size / 2)}"}`,
  "many strings that hold one escape": (size) => `{"a":[${list('"0123456789abcdef\\n"', size)}]}`,
  "one long number": (size) => `{"a":1${"0".repeat(size)}1}`,
  "many numbers": (size) => `{"a":[${list("-1.5e3", size)}]}`,
  "white space": (size) => `{"a":1${" ".repeat(size)},"b":2}`,
  "deep arrays": (size) => `{"a":${nestedText(size / 2, "array")}}`,
  "deep objects": (size) => `{"x":${nestedText(size / 6, "object")}}`,
  "many members beside the paths": (size) => `{${list('"\\u0078":1', size)},"a":1}`,
  "two equal states": (size) => `{"a":[${list('{"k":1}', size / 2)}],"b":[${list('{"k":1}', size / 2)}]}`,
  "states that differ at their end": (size) =>
    `{"a":[${list("[]", size / 2)},1],"b":[${list("[]", size / 2)},2],"c":{"d":3}}`,
};

function list(item: string, size: number): string {
  return `${item},`.repeat(Math.floor(size / (item.length + 1))) + item;
}

test("ten times the text costs ten times the time, whatever it holds", () => {
  for (const [name, make] of Object.entries(SHAPES)) {
    assertLinear(name, { make, run: (text) => cutJson(text, PATHS) });
  }
});

test("a flaw at the end of a long text costs no more", () => {
  for (const [name, make] of Object.entries(SHAPES)) {
    const run = (text: string): unknown => assertThrows(() => cutJson(text, PATHS), JsonError);
    assertLinear(`${name}, cut off`, { make: (size) => make(size).slice(0, -2), run });
  }
});

test("elements are cut in a time that grows with their size", () => {
  assertLinear("elements", { make: (size) => `[${list("[1]", size)}]`, run: cutElements });
});

test("10 MB are cut, and as JSON.parse reads them", () => {
  for (const shape of ["one long string", "many numbers", "two equal states"]) {
    const text = SHAPES[shape]!(10_000_000);
    const [a] = cutJson(text, PATHS);
    assertEquals(text.startsWith(`{"a":${a}`), true, shape);
    assertEquals(JSON.stringify(JSON.parse(a!)) === JSON.stringify(JSON.parse(text).a), true, shape);
  }
});
