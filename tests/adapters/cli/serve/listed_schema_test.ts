import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { listedSchema } from "../../../../adapters/cli/serve/listed_schema.ts";

test("a schema is listed as it is, as a copy, and takes any value", () => {
  const schema = Object.freeze({ type: "object", required: ["a"] });
  const { validate, jsonSchema, vendor, version } = listedSchema<unknown>(schema)["~standard"];
  assertEquals([jsonSchema.input(), jsonSchema.output()], [{ ...schema }, { ...schema }]);
  assertEquals(Object.isFrozen(jsonSchema.input()), false);
  assertEquals([validate(7), vendor, version], [{ value: 7 }, "codex-mcp", 1]);
});
