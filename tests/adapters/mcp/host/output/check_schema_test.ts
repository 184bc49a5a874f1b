import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CheckGivenUp } from "../../../../../adapters/mcp/host/output/check_budget.ts";
import { matchesSchema } from "../../../../../adapters/mcp/host/output/check_schema.ts";
import { runOver } from "./run_over.ts";

function matches(schema: object, value: unknown): boolean {
  return matchesSchema(schema, value, { run: runOver(schema), seen: null });
}

/** A schema, what it says yes to, and what it says no to. */
type Row = readonly [object, readonly unknown[], readonly unknown[]];

const NODE = {
  anyOf: [{ type: "null" }, { properties: { next: { $ref: "#" }, n: { type: "number" } }, required: ["n"] }],
};
const ROWS: readonly Row[] = [
  [{ allOf: [{ type: "number" }, { minimum: 2 }] }, [2], [1, "2"]],
  [{ anyOf: [{ type: "string" }, { minimum: 2 }] }, ["x", 2], [1]],
  [{ oneOf: [{ minimum: 2 }, { type: "integer" }] }, [1, 2.5], [3, 1.5]],
  [{ not: { type: "string" } }, [1], ["x"]],
  [{ not: false }, [1], []],
  [{ properties: { a: false } }, [{}, 7], [{ a: 1 }]],
  [{ if: { type: "string" }, then: { minLength: 2 }, else: { minimum: 2 } }, ["ab", 2], ["a", 1]],
  [{ then: false, else: false }, [1], []],
  [{ dependentSchemas: { a: { required: ["b"] } } }, [{ b: 1 }, 7], [{ a: 1 }]],
  [{ dependencies: { a: { required: ["b"] } } }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [{ $ref: "#/$defs/n", minimum: 1, $defs: { n: { type: "number" } } }, [1], ["x", 0]],
  [NODE, [null, { n: 1, next: { n: 2, next: null } }], [{ n: 1, next: { n: "2" } }, {}]],
  [{ $recursiveRef: "#", $recursiveAnchor: true, type: "object" }, [], []],
  [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [{ anyOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, true], unevaluatedProperties: false }, [{
    a: 1,
  }], [{
    a: 2,
  }]],
  [{ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
  [{ $ref: "#/$defs/x", unevaluatedItems: false, $defs: { x: { prefixItems: [true] } } }, [[1]], [[1, 2]]],
  [{ if: { properties: { a: true }, required: ["a"] }, unevaluatedProperties: false }, [{ a: 1 }, {}], [{
    b: 1,
  }]],
];

test("what one schema says by others", () => {
  for (const [schema, right, wrong] of ROWS) {
    assertEquals(right.filter((value) => !matches(schema, value)), [], JSON.stringify(schema));
    assertEquals(wrong.filter((value) => matches(schema, value)), [], JSON.stringify(schema));
  }
});

test("whatever the schema is, it ends", () => {
  const twice = (keyword: string): object => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, at === 59 ? { not: { const: 0 } } : { [keyword]: [next, next] }];
      }),
    ),
  });
  for (const keyword of ["anyOf", "oneOf"]) assertThrows(() => matches(twice(keyword), 0), CheckGivenUp);
  assertThrows(() => matches(twice("allOf"), 1), CheckGivenUp);
  assertThrows(() => matches({ $ref: "#" }, 1), CheckGivenUp);
  let deep: unknown = 1;
  for (let depth = 0; depth < 60; depth += 1) deep = [deep];
  assertThrows(
    () => matches({ allOf: [{ items: { $ref: "#" } }, { contains: { $ref: "#" } }] }, deep),
    CheckGivenUp,
  );
});
