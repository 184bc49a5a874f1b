import { assertThrows } from "@std/assert";
import { test } from "node:test";
import {
  CHECK_DEPTH,
  CheckBudget,
  CheckGivenUp,
} from "../../../../../adapters/mcp/host/output/check_budget.ts";

test("what is spent is gone, and what is no number is more than there is", () => {
  const budget = new CheckBudget(10);
  budget.spend(4);
  budget.spend(6);
  assertThrows(() => budget.spend(1), CheckGivenUp, "too long");
  assertThrows(() => new CheckBudget(10).spend(NaN), CheckGivenUp);
});

test("a depth is left again, and bounded", () => {
  const budget = new CheckBudget();
  for (let turn = 0; turn < 3 * CHECK_DEPTH; turn += 1) {
    budget.enter();
    budget.leave();
  }
  for (let depth = 0; depth < CHECK_DEPTH; depth += 1) budget.enter();
  assertThrows(() => budget.enter(), CheckGivenUp, "too deeply");
});
