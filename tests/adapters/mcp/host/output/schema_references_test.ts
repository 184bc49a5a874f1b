import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CheckGivenUp } from "../../../../../adapters/mcp/host/output/check_budget.ts";
import { SchemaReferences } from "../../../../../adapters/mcp/host/output/schema_references.ts";

test("a reference is a pointer, an anchor or an id, and is read where it stands", () => {
  const inner = { $id: "inner", $defs: { x: { const: "inner" } }, items: { $ref: "#/$defs/x" } };
  const schema = {
    $id: "https://schemas.example/root.json",
    $defs: { x: { const: "outer" }, "a/b~c%": { const: "odd" }, named: { $anchor: "here" }, inner },
  };
  const references = new SchemaReferences(schema);
  assertEquals(references.follow(schema, "#"), schema);
  assertEquals(references.follow(schema, "#/$defs/x"), schema.$defs.x);
  assertEquals(references.follow(schema, "#/$defs/a~1b~0c%25"), schema.$defs["a/b~c%"]);
  assertEquals(references.follow(schema, "#here"), schema.$defs.named);
  assertEquals(references.follow(schema, "inner"), inner);
  assertEquals(references.follow(schema, "https://schemas.example/inner#/$defs/x"), inner.$defs.x);
  assertEquals(references.follow(inner.items, "#/$defs/x"), inner.$defs.x);
});

test("one that leads out of the schema, into data or nowhere is given up, whoever names it", () => {
  const schema = { enum: [{ $id: "data" }], properties: { enum: { $anchor: "property" } } };
  const references = new SchemaReferences(schema);
  for (
    const one of ["#/nowhere", "other.json", "https://x.example/", "#nobody", "data", "#/constructor", "//["]
  ) {
    assertThrows(() => references.follow(schema, one), CheckGivenUp, "", one);
  }
  assertEquals(references.follow(schema, "#property"), schema.properties.enum);
});

test("a dynamic reference is only followed where it can mean one place", () => {
  const one = { $defs: { a: { $dynamicAnchor: "node" } } };
  new SchemaReferences(one).requireOne("#node");
  assertEquals(new SchemaReferences(one).follow(one, "#node"), one.$defs.a);
  const two = { $defs: { a: { $dynamicAnchor: "node" }, b: { $id: "b", $dynamicAnchor: "node" } } };
  assertThrows(() => new SchemaReferences(two).requireOne("#node"), CheckGivenUp);
});

test("whether anything is asked to be remembered is known, and too much is too much", () => {
  assert(new SchemaReferences({ allOf: [{ unevaluatedItems: false }] }).remembers);
  assert(!new SchemaReferences({ properties: { a: {} } }).remembers);
  const wide = { properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [at, {}])) };
  let deep: object = {};
  for (let depth = 0; depth < 1_000; depth += 1) deep = { not: deep };
  for (const schema of [wide, deep, { $schema: "https://example.org/my-dialect" }]) {
    assertThrows(() => new SchemaReferences(schema), CheckGivenUp);
  }
  new SchemaReferences({ $schema: "http://json-schema.org/draft-07/schema#" });
});
