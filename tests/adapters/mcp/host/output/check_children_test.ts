import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { areChildren } from "../../../../../adapters/mcp/host/output/check_children.ts";
import type { Schema } from "../../../../../adapters/mcp/host/output/check_assertions.ts";
import { nothingEvaluated } from "../../../../../adapters/mcp/host/output/evaluated.ts";
import { runOver } from "./run_over.ts";

/** Which children are checked, against what; a schema `false` refuses. */
function checked(schema: Schema, value: unknown): readonly [boolean, readonly unknown[], readonly unknown[]] {
  const seen = nothingEvaluated();
  const pairs: unknown[] = [];
  const matches = areChildren(schema, value, {
    run: runOver(schema),
    seen,
    check: (one, child) => {
      pairs.push([one, child]);
      return one !== false;
    },
  });
  return [matches, pairs, [...seen.names, ...seen.places]];
}

test("each member is checked by its name, its patterns, or what is said of the rest", () => {
  const schema = {
    properties: { a: 1, toString: 9 },
    patternProperties: { "^a": 2, b$: 3 },
    additionalProperties: 4,
  };
  assertEquals(checked(schema, { a: "A", ab: "AB", c: "C" }), [
    true,
    [[1, "A"], [2, "A"], [2, "AB"], [3, "AB"], [4, "C"]],
    ["a", "ab", "c"],
  ]);
  assertEquals(checked({ additionalProperties: false, properties: { a: 1 } }, { a: 1, b: 2 })[0], false);
  assertEquals(checked({ propertyNames: false }, { a: 1 }), [false, [[false, "a"]], []]);
  assertEquals(checked({ properties: { a: 1 } }, ["a"]), [true, [], []]);
  // a pattern that is not checked may match
  assertEquals(
    checked({ patternProperties: { "(?=a)": 1 }, additionalProperties: false }, { b: 1 })[0],
    true,
  );
});

test("each element is checked by its place, or what is said of the rest, in both ways to write it", () => {
  assertEquals(checked({ prefixItems: [1, 2], items: 3 }, ["a", "b", "c"])[1], [[1, "a"], [2, "b"], [
    3,
    "c",
  ]]);
  assertEquals(checked({ items: [1], additionalItems: 3 }, ["a", "b"])[1], [[1, "a"], [3, "b"]]);
  assertEquals(checked({ items: [1] }, ["a", "b"]), [true, [[1, "a"]], [0]]);
  assertEquals(checked({ items: false }, [1])[0], false);
});

test("as many elements as are said match, and those count as looked at", () => {
  assertEquals(checked({ contains: 1 }, ["a"]), [true, [[1, "a"]], [0]]);
  assertEquals([checked({ contains: 1 }, [])[0], checked({ contains: 1, minContains: 0 }, [])[0]], [
    false,
    true,
  ]);
  assertEquals(checked({ contains: 1, maxContains: 1 }, ["a", "b"])[0], false);
});

test("what nothing has looked at is checked last", () => {
  const members = { properties: { a: 1 }, unevaluatedProperties: 2 };
  assertEquals(checked(members, { a: "A", b: "B" })[1], [[1, "A"], [2, "B"]]);
  assertEquals(checked({ prefixItems: [1], unevaluatedItems: false }, ["a"])[0], true);
  assertEquals(checked({ prefixItems: [1], unevaluatedItems: false }, ["a", "b"])[0], false);
});
