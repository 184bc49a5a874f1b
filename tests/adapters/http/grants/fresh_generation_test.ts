import { assert, assertNotEquals } from "@std/assert";
import { test } from "node:test";
import { freshGeneration } from "../../../../adapters/http/grants/fresh_generation.ts";
import { isGeneration } from "../../../../core/enterprise/grant/generation.ts";

test("a fresh generation is one, and another each time", () => {
  assert(isGeneration(freshGeneration()));
  assertNotEquals(freshGeneration(), freshGeneration());
});
