import { CheckBudget } from "../../../../../adapters/mcp/host/output/check_budget.ts";
import type { CheckRun } from "../../../../../adapters/mcp/host/output/check_run.ts";
import { LinearPatterns } from "../../../../../adapters/mcp/host/output/linear_patterns.ts";
import { SchemaReferences } from "../../../../../adapters/mcp/host/output/schema_references.ts";

/** A check against `schema`. */
export function runOver(schema: object, leaveOut: () => void = () => {}): CheckRun {
  return {
    budget: new CheckBudget(),
    references: new SchemaReferences(schema),
    patterns: new LinearPatterns(),
    members: new WeakMap(),
    leaveOut,
  };
}
