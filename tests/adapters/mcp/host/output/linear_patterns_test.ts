import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CheckBudget, CheckGivenUp } from "../../../../../adapters/mcp/host/output/check_budget.ts";
import { LinearPatterns } from "../../../../../adapters/mcp/host/output/linear_patterns.ts";

test("a pattern that backtracking never ends with is answered, and what is no pattern is not", () => {
  const patterns = new LinearPatterns();
  const hostile = `${"a".repeat(20_000)}!`;
  for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
    assertEquals(patterns.test(pattern, hostile, new CheckBudget()), false, pattern);
  }
  assertEquals(patterns.test("^a+!$", hostile, new CheckBudget()), true);
  assertEquals([patterns.test("(?=a)", "a", new CheckBudget()), patterns.test("(", "a", new CheckBudget())], [
    null,
    null,
  ]);
});

test("a text costs as much as it is long, and a pattern as much as it is large, the first time", () => {
  const patterns = new LinearPatterns();
  assertThrows(() => patterns.test("^a*$", "a".repeat(1_000_000), new CheckBudget()), CheckGivenUp);
  assertThrows(() => patterns.test("(a{1,30}){1,30}", "a", new CheckBudget(10_000)), CheckGivenUp);
  patterns.test("(a{1,30}){1,30}", "a", new CheckBudget());
  assertEquals(patterns.test("(a{1,30}){1,30}", "a", new CheckBudget(10_000)), true);
});
