import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { jsonChanges } from "../../../core/json/changes.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import {
  canonical,
  exactJson,
  leafPaths,
  nestedText,
  objectOf,
  pointerOf,
  reordered,
  withLeaf,
} from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";

/** Two texts and where they differ. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ["1", "1", []],
  ["1", "2", [""]],
  ["null", "{}", [""]],
  ["[]", "{}", [""]],
  ['{"0":1}', "[1]", [""]],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', []],
  ['{"a":1,"b":2}', '{"b":3,"a":4}', ["/a", "/b"]],
  ['{"b":1,"a":1}', '{"a":2,"b":2}', ["/b", "/a"]],
  ['{"a":1}', '{"a":1,"b":null}', ["/b"]],
  ['{"a":1,"b":null}', '{"a":1}', ["/b"]],
  ['{"c":1,"a":1}', '{"d":1,"a":2}', ["/c", "/a", "/d"]],
  ["[1,2,3]", "[1,5,3]", ["/1"]],
  ["[1,2]", "[1,2,3]", ["/2"]],
  ["[1,2,3]", "[1]", ["/1", "/2"]],
  ['{"a":{"b":[{"c":1}]}}', '{"a":{"b":[{"c":2}]}}', ["/a/b/0/c"]],
  ['{"a":{"b":1}}', '{"a":[1]}', ["/a"]],
  ['{"a":{"b":1}}', '{"a":null}', ["/a"]],
  ['{"a":{}}', '{"a":[]}', ["/a"]],
  ['{"a":[{}]}', '{"a":[{"x":1}]}', ["/a/0/x"]],
  ['{"a/b":1,"m~n":1,"":1}', '{"a/b":2,"m~n":2,"":2}', ["/a~1b", "/m~0n", "/"]],
  ['{"__proto__":1}', '{"__proto__":2}', ["/__proto__"]],
  ['{"__proto__":{}}', "{}", ["/__proto__"]],
  ["{}", '{"__proto__":null}', ["/__proto__"]],
  ["{}", '{"toString":1}', ["/toString"]],
  ['{"a":{"b":1,"c":2},"d":3}', '{"a":{"b":0,"c":0},"d":0}', ["/a/b", "/a/c", "/d"]],
];

test("jsonChanges: the places, in the order of the first value", () => {
  for (const [a, b, expected] of CASES) {
    assertEquals([...jsonChanges(JSON.parse(a), JSON.parse(b))], [...expected], `${a} to ${b}`);
  }
});

test("jsonChanges: an inherited member stands in for nothing", () => {
  const found = polluted(Object.prototype, ["evil", 1], () => [
    jsonChanges({ evil: 1 }, {}),
    jsonChanges({}, { evil: 1 }),
    jsonChanges({ a: 1 }, { a: 1 }),
  ]);
  assertEquals(found, [["/evil"], ["/evil"], []]);
});

test("jsonChanges: a single other leaf is found, at its pointer and nowhere else", () => {
  fc.assert(
    fc.property(exactJson, exactJson, fc.nat(), fc.nat(), (a, leaf, pick, seed) => {
      const paths = leafPaths(a);
      const path = paths[pick % paths.length]!;
      const before = path.reduce<JsonValue>((v, step) => (v as Record<string, JsonValue>)[step]!, a);
      fc.pre(canonical(before) !== canonical(leaf));
      const primitive = typeof leaf !== "object" || leaf === null;
      const b = reordered(withLeaf(a, path, leaf), seed);
      const changes = jsonChanges(a, b);
      // an empty container that was filled is told by what it got
      if (primitive || typeof before !== "object" || before === null) {
        assertEquals([...changes], [pointerOf(path)]);
      } else assertStrictEquals(changes.every((one) => one.startsWith(pointerOf(path))), true);
      assertEquals([...jsonChanges(b, a)].sort(), [...changes].sort());
    }),
    { numRuns: 300 },
  );
});

test("jsonChanges: empty exactly where a slow reference sees no difference", () => {
  fc.assert(
    fc.property(exactJson, exactJson, fc.nat(), (a, b, seed) => {
      assertStrictEquals(jsonChanges(a, b).length === 0, canonical(a) === canonical(b));
      assertEquals([...jsonChanges(a, reordered(a, seed))], []);
      const [one, other] = [objectOf([["x", a], ["y", b]]), objectOf([["y", b], ["x", b]])];
      assertStrictEquals(jsonChanges(one, other).length === 0, canonical(a) === canonical(b));
    }),
    { numRuns: 300 },
  );
});

test("jsonChanges: values nested 10,000 deep", () => {
  const text = nestedText(10_000, "object");
  assertEquals([...jsonChanges(JSON.parse(text), JSON.parse(text.replace("1", "2")))], ["/a".repeat(10_000)]);
  const array = nestedText(10_000, "array");
  assertEquals([...jsonChanges(JSON.parse(array), JSON.parse(`[${array}]`))], ["/0".repeat(10_000)]);
});
