import { test } from "node:test";
import { assert, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { isExactJson } from "../../../core/json/equal.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import { exactJson, leafPaths, nestedText, withLeaf } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";

const INEXACT: readonly [string, unknown][] = [
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["negative zero", -0],
  ["2^53", 2 ** 53],
  ["-2^53", -(2 ** 53)],
  ["a rounded 64-bit integer", JSON.parse("9223372036854775807")],
  ["1e21", 1e21],
  ["1e300", 1e300],
  ["undefined", undefined],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["a bigint", 1n],
  ["a Date", new Date(0)],
  ["a Map", new Map([["a", 1]])],
  ["a Set", new Set([1])],
  ["a RegExp", /x/],
  ["an Error", new Error("x")],
  ["a typed array", new Uint8Array([1])],
  ["a boxed string", Object("x")],
  ["a boxed number", Object(1)],
  [
    "a class instance",
    new (class Policy {
      type = "disabled";
    })(),
  ],
  ["an array with a hole", [1, , 3]],
  ["an array of holes", new Array(2)],
];

const EXACT: readonly unknown[] = [
  null,
  true,
  false,
  "",
  "\ud800",
  0,
  1,
  -1,
  0.1,
  -1.5,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  [],
  {},
  Object.create(null),
  [[], {}, null],
  JSON.parse('{"__proto__":{"a":1}}'),
];

test("isExactJson: takes what JavaScript holds exactly", () => {
  for (const value of EXACT) {
    assert(isExactJson(value), String(JSON.stringify(value)));
    assert(isExactJson([value]));
    assert(isExactJson({ a: value }));
  }
});

for (const [name, value] of INEXACT) {
  test(`isExactJson: refuses ${name}, alone and at any place`, () => {
    assertStrictEquals(isExactJson(value), false);
    assertStrictEquals(isExactJson([value]), false);
    assertStrictEquals(isExactJson(["a", value, "b"]), false);
    assertStrictEquals(isExactJson({ a: value }), false);
    assertStrictEquals(isExactJson({ a: "x", b: { c: [{}, { d: value }] }, e: "y" }), false);
  });
}

test("isExactJson: any exact value passes, with one inexact leaf in it none does", () => {
  const bad = fc.constantFrom(...INEXACT.map(([, value]) => value)) as fc.Arbitrary<JsonValue>;
  fc.assert(fc.property(exactJson, bad, fc.nat(), (value, leaf, pick) => {
    assert(isExactJson(value));
    const paths = leafPaths(value);
    assertStrictEquals(isExactJson(withLeaf(value, paths[pick % paths.length]!, leaf)), false);
  }));
});

test("isExactJson: an inherited member is not looked at", () => {
  assert(polluted(Object.prototype, ["inherited", 1n], () => isExactJson({ a: [{ b: 1 }] })));
  assert(polluted(Object.prototype, ["inherited", { deep: NaN }], () => isExactJson({ a: [{ b: 1 }] })));
});

test("isExactJson: a value nested 100,000 deep", () => {
  for (const kind of ["array", "object"] as const) {
    assert(isExactJson(JSON.parse(nestedText(100_000, kind))));
  }
  assert(!isExactJson(JSON.parse(nestedText(100_000, "object").replace("1", "-0"))));
});
