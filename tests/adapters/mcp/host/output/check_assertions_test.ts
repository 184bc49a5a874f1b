import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { isAsserted, type Schema } from "../../../../../adapters/mcp/host/output/check_assertions.ts";
import { runOver } from "./run_over.ts";

/** A schema, what it says yes to, and what it says no to. */
type Row = readonly [Schema, readonly unknown[], readonly unknown[]];

const ROWS: readonly Row[] = [
  [{ type: "integer" }, [1, 1.0, -3], [1.5, "1", null]],
  [{ type: ["string", "null"] }, ["", null], [0, [], {}, false]],
  [{ type: "object" }, [{}], [[], null]],
  [{ type: "string", nullable: true }, ["", null], [0]],
  [{ type: "no type" }, [], [1, "x"]],
  [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, 1]],
  [{ enum: [1, "a", [null]] }, [1, "a", [null]], [2, "b", [], null]],
  [{ enum: [] }, [], [1]],
  [{ minLength: 1, maxLength: 2 }, ["a", "😀😀", 7], ["", "abc", "😀😀😀"]],
  [{ pattern: "^a" }, ["ab", 7], ["ba"]],
  [{ format: "date" }, ["2024-01-01", 7], ["yesterday"]],
  [{ format: "int32" }, [1], [1.5]],
  [{ minimum: 1, maximum: 3 }, [1, 3, "x"], [0, 4]],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  [{ multipleOf: 0.1 }, [0.3, 1, 0, "x"], [0.35]],
  [{ multipleOf: 0.01 }, [19.99, 4.35], [0.001]],
  [{ multipleOf: 3 }, [9, 1e308 * 0], [10]],
  [{ minItems: 1, maxItems: 2 }, [[1], [1, 2], {}], [[], [1, 2, 3]]],
  [{ uniqueItems: true }, [[1, "1", [1], { a: 1 }]], [[1, 1], [{ a: 1, b: 2 }, { b: 2, a: 1 }]]],
  [{ required: ["a", "toString"] }, [{ a: 1, toString: 1 }, []], [{ a: 1 }, {}]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  [{ dependentRequired: { a: ["b"] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependencies: { a: ["b"], c: {} } }, [{ c: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ minimum: "1", maxLength: null, required: 7, pattern: {}, enum: "x" }, [0, "abc", {}], []],
];

test("what is said of a value itself", () => {
  for (const [schema, right, wrong] of ROWS) {
    const isRight = (value: unknown): boolean => isAsserted(schema, value, { run: runOver(schema) });
    assertEquals(right.filter((value) => !isRight(value)), [], JSON.stringify(schema));
    assertEquals(wrong.filter(isRight), [], JSON.stringify(schema));
  }
});

test("a pattern that is not checked is told", () => {
  let skipped = 0;
  const schema = { pattern: "(?=a)" };
  assertEquals(isAsserted(schema, "b", { run: runOver(schema, () => void (skipped += 1)) }), true);
  assertEquals(skipped, 1);
});
