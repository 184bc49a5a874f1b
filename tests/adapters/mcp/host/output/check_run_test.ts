import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CheckBudget, CheckGivenUp } from "../../../../../adapters/mcp/host/output/check_budget.ts";
import { canonical, membersOf } from "../../../../../adapters/mcp/host/output/check_run.ts";
import { runOver } from "./run_over.ts";

test("equal values have equal texts, and no others", () => {
  const text = (value: unknown): string => canonical(value, new CheckBudget());
  assertEquals(text({ a: [1, { c: null, b: "x" }] }), text({ a: [1.0, { b: "x", c: null }] }));
  for (const [a, b] of [[1, "1"], [[1], ["1"]], [{ a: 1 }, [1]], [["a,b"], ["a", "b"]], [null, "null"]]) {
    assertNotEquals(text(a), text(b));
  }
  let deep: unknown = 1;
  for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
  assertThrows(() => text(deep), CheckGivenUp);
  assertThrows(() => canonical("x".repeat(10_000), new CheckBudget(100)), CheckGivenUp);
});

test("members are read once, and only objects have some", () => {
  const run = runOver({});
  const members = membersOf({ a: 1 }, run);
  assertEquals(members, [["a", 1]]);
  const object = { b: 2 };
  assertEquals(membersOf(object, run), membersOf(object, run));
  for (const none of [null, "text", ["a"], undefined]) assertEquals(membersOf(none, run), []);
});
