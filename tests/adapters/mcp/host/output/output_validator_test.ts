import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { JsonSchemaType } from "@modelcontextprotocol/client";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { OutputValidator } from "../../../../../adapters/mcp/host/output/output_validator.ts";

function outcome(schema: object, value: unknown): "valid" | "invalid" | "unchecked" {
  const validator = new OutputValidator();
  const { valid } = validator.getValidator(schema as JsonSchemaType)(value);
  if (validator.tookUnchecked(value)) return "unchecked";
  return valid ? "valid" : "invalid";
}

const many = <Item>(length: number, item: (at: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => item(at));
const named = (length: number, item: (at: number) => readonly [string, unknown]): object =>
  Object.fromEntries(many(length, item));

const ROW = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" } },
  required: ["id"],
};

test("hostile schemas and values take no longer than others", () => {
  const cases: readonly (readonly [string, object, unknown])[] = [
    ["pattern", { properties: { a: { pattern: "^(a+)+$" } } }, { a: `${"a".repeat(100_000)}!` }],
    ["long text", { pattern: "^(a|a)*$", minLength: 1 }, "a".repeat(10_000_000)],
    ["unique", { uniqueItems: true }, many(300_000, (at) => ({ at }))],
    ["enum", { items: { enum: many(20_000, (at) => ({ at })) } }, many(20_000, () => ({ at: -1 }))],
    [
      "names",
      { propertyNames: { pattern: "^(\\w+\\s?)*$" } },
      named(2_000, (at) => [`${"a".repeat(300)}!${at}`, 1]),
    ],
    ["patterns", {
      patternProperties: named(2_000, (at) => [`^(a+)+${at}$`, true]),
    }, named(2_000, (at) => ["a".repeat(30) + at, 1])],
    ["formats", { items: { format: "url" } }, many(20_000, () => `http://${":".repeat(990)}`)],
    ["unevaluated", {
      allOf: many(2_000, (at) => ({ properties: { [`p${at}`]: true } })),
      unevaluatedProperties: false,
    }, named(2_000, (at) => [`p${at}`, 1])],
    ["wide", { properties: named(100_000, (at) => [`p${at}`, { type: "string" }]) }, {}],
    ["depending", {
      items: { dependentRequired: named(15_000, (at) => [`p${at}`, ["q"]]) },
    }, many(10_000, () => ({}))],
    ["rows", { items: ROW }, many(500_000, (id) => ({ id, name: "x" }))],
  ];
  const slow: string[] = [];
  for (const [name, schema, value] of cases) {
    const begun = performance.now();
    outcome(schema, value);
    // a fifth of a second on an idle machine; without a bound most of these take minutes, or for ever
    if (performance.now() - begun > 5_000) slow.push(name);
  }
  assertEquals(slow, []);
});

test("an answer of many rows is checked whole, up to its last value", () => {
  const rows: unknown[] = many(10_000, (id) => ({ id, name: "x" }));
  assertEquals(outcome({ type: "array", items: ROW }, rows), "valid");
  rows.push({ id: "no number" });
  assertEquals(outcome({ type: "array", items: ROW }, rows), "invalid");
});

test("what is not known is delivered, and said once", () => {
  assertEquals(outcome({ pattern: "(?=a)" }, "b"), "unchecked");
  assertEquals(outcome({ not: { pattern: "(?=a)" } }, "b"), "unchecked");
  assertEquals(outcome({ $ref: "https://elsewhere.example/schema" }, 1), "unchecked");
  const validator = new OutputValidator();
  const value = {};
  assert(validator.getValidator({ $ref: "#/nowhere" } as JsonSchemaType)(value).valid);
  assertEquals([validator.tookUnchecked(value), validator.tookUnchecked(value)], [true, false]);
});

test("it says what the SDK's own validator says", () => {
  const schemas: readonly object[] = [
    ROW,
    { type: "array", items: ROW, minItems: 1, uniqueItems: true },
    { anyOf: [ROW, { type: "null" }, { type: "string", format: "date-time", pattern: "^2" }] },
    {
      $defs: { t: { properties: { kids: { items: { $ref: "#/$defs/t" } } } } },
      $ref: "#/$defs/t",
      required: ["kids"],
    },
    { oneOf: [{ required: ["id"] }, { required: ["name"] }], maxProperties: 2 },
    { allOf: [ROW], unevaluatedProperties: false },
    { if: { required: ["id"] }, then: ROW, else: { propertyNames: { maxLength: 3 } } },
    { prefixItems: [{ const: 1 }], items: { enum: ["a", null] }, contains: { type: "string" } },
  ];
  const values: readonly unknown[] = [
    null,
    "2024-01-01T00:00:00Z",
    "1999",
    {},
    [],
    [1],
    [1, "a"],
    [1, "b"],
    { id: 1 },
    { id: 1.5 },
    { id: 1, name: "x" },
    { name: "x", more: 1 },
    { id: 1, more: 1 },
    { kids: [{ kids: [] }] },
    { kids: [{ kids: [{ kids: 1 }] }] },
    [{ id: 1 }, { id: 1 }],
    [{ id: 1 }, { id: 2, name: "y" }],
  ];
  const theirs = new AjvJsonSchemaValidator();
  for (const schema of schemas) {
    const check = theirs.getValidator(schema as JsonSchemaType);
    for (const value of values) {
      const expected = check(value).valid ? "valid" : "invalid";
      assertEquals(outcome(schema, value), expected, JSON.stringify([schema, value]));
    }
  }
});
