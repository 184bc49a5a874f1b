import { test } from "node:test";
import { assert, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { equalJson } from "../../../core/json/equal.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import { canonical, exactJson, leafPaths, nestedText, reordered, withLeaf } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";

/** Pairs of texts whose values differ. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["1", "2"],
  ["0", "false"],
  ["0", '""'],
  ["null", "false"],
  ["null", "0"],
  ["null", "{}"],
  ["[]", "{}"],
  ["[]", "null"],
  ["[[]]", "[{}]"],
  ["[{}]", "[[]]"],
  ["[1,2]", "[2,1]"],
  ["[1]", "[1,1]"],
  ["[1,1]", "[1]"],
  ['[["a"]]', '[{"0":"a"}]'],
  ['{"0":"a"}', '["a"]'],
  ["[]", '{"length":0}'],
  ['["a"]', '{"length":1,"0":"a"}'],
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"b":1}'],
  ['{"a":1}', '{"a":1,"b":1}'],
  ['{"a":null}', "{}"],
  ['{"a":null}', '{"b":null}'],
  ['{"a":{}}', '{"a":[]}'],
  ['{"a":{}}', '{"a":null}'],
  ['{"a":null}', '{"a":{}}'],
  ['{"a":[1,{"b":2}]}', '{"a":[1,{"b":3}]}'],
  ['{"__proto__":{}}', "{}"],
  ['{"__proto__":null}', "{}"],
  ['{"__proto__":{}}', '{"a":{}}'],
  ['{"__proto__":1}', '{"__proto__":2}'],
  ['{"constructor":{}}', '{"a":{}}'],
  ['{"toString":{}}', '{"valueOf":{}}'],
  ['{"A":1}', '{"a":1}'],
  ['"\\u00e9"', '"e\\u0301"'],
  ['"\\ud800"', '"\\ufffd"'],
];

test("equalJson: tells different values apart, both ways round", () => {
  for (const [a, b] of DIFFERENT) {
    assertStrictEquals(equalJson(JSON.parse(a), JSON.parse(b)), false, `${a} and ${b}`);
    assertStrictEquals(equalJson(JSON.parse(b), JSON.parse(a)), false, `${b} and ${a}`);
    assert(equalJson(JSON.parse(a), JSON.parse(a)), a);
    assert(equalJson(JSON.parse(b), JSON.parse(b)), b);
  }
});

test("equalJson: the order of members is free, that of elements is not", () => {
  assert(equalJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }));
  assert(!equalJson({ a: 1, b: [1, 2] }, { b: [2, 1], a: 1 }));
});

test("equalJson: objects with and without a prototype, symbols and hidden members aside", () => {
  const bare = Object.assign(Object.create(null), { a: 1 });
  const hidden = Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false });
  assert(equalJson(bare, { a: 1 }));
  assert(equalJson({ a: 1 }, bare));
  assert(equalJson(hidden as unknown as JsonValue, { a: 1 }));
  assert(!equalJson(Object.create(null), { toString: {} }));
  assert(!equalJson({ toString: {} }, Object.create(null)));
});

test("equalJson: an inherited member stands in for nothing", () => {
  const pairs: readonly (readonly [JsonValue, JsonValue])[] = [
    [{ evil: 1 }, {}],
    [{ evil: 1 }, { other: 1 }],
    [{ a: 1, evil: 1 }, { a: 1 }],
    [{ a: [{ evil: 1 }] }, { a: [{ b: 2 }] }],
  ];
  for (const [a, b] of pairs) {
    const verdicts = polluted(Object.prototype, ["evil", 1], () => [equalJson(a, b), equalJson(b, a)]);
    assertStrictEquals(verdicts.join(), "false,false", canonical(a));
  }
  const same = polluted(Object.prototype, ["evil", 1], () => equalJson({ a: { b: 1 } }, { a: { b: 1 } }));
  assert(same);
});

test("equalJson: agrees with a slow reference", () => {
  fc.assert(
    fc.property(exactJson, exactJson, (a, b) => {
      assertStrictEquals(equalJson(a, b), canonical(a) === canonical(b));
    }),
    { numRuns: 300 },
  );
});

test("equalJson: agrees with a slow reference where the two are nearly the same", () => {
  fc.assert(
    fc.property(exactJson, exactJson, fc.nat(), fc.nat(), (a, leaf, pick, seed) => {
      const paths = leafPaths(a);
      const b = reordered(withLeaf(a, paths[pick % paths.length]!, leaf), seed);
      const expected = canonical(a) === canonical(b);
      assertStrictEquals(equalJson(a, b), expected);
      assertStrictEquals(equalJson(b, a), expected);
      assert(equalJson(b, reordered(b, seed + 1)));
    }),
    { numRuns: 300 },
  );
});

test("equalJson: values nested 100,000 deep", () => {
  for (const kind of ["array", "object"] as const) {
    const text = nestedText(100_000, kind);
    assert(equalJson(JSON.parse(text), JSON.parse(text)));
    assert(!equalJson(JSON.parse(text), JSON.parse(nestedText(100_001, kind))));
  }
  const text = nestedText(100_000, "object");
  assert(!equalJson(JSON.parse(text), JSON.parse(text.replace("1", "2"))));
});

test("equalJson: what an object inherits stands in for nothing, whoever put it there and however", () => {
  const hidden = (key: string, value: unknown): boolean[] => {
    const before = Object.getOwnPropertyDescriptor(Object.prototype, key);
    // not enumerable, as a polyfill has it
    Object.defineProperty(Object.prototype, key, {
      value,
      configurable: true,
      enumerable: false,
      writable: true,
    });
    try {
      return [
        equalJson({ a: 1, [key]: 5 }, { a: 1, b: 5 }),
        equalJson({ a: 1, b: 5 }, { a: 1, [key]: 5 }),
        equalJson({ [key]: 5, a: 1 }, { a: 1, b: 5 }),
        equalJson({ a: 1, [key]: 5 }, { a: 1 }),
        !equalJson({ a: 1, [key]: 5 }, { [key]: 5, a: 1 }),
      ];
    } finally {
      if (before === undefined) Reflect.deleteProperty(Object.prototype, key);
      else Object.defineProperty(Object.prototype, key, before);
    }
  };
  for (const key of ["evil", "toString", "valueOf"]) {
    assertStrictEquals(hidden(key, 5).join(), "false,false,false,false,false", key);
  }
  const last = polluted(Object.prototype, ["evil", 5], () => equalJson({ a: 1, evil: 5 }, { a: 1 }));
  assertStrictEquals(last, false);
});
