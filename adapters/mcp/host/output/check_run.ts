/**
 * What one check of one value against one schema goes on with.
 *
 * @module
 */

import { isJsonObject } from "../../../../core/json/value.ts";
import type { CheckBudget } from "./check_budget.ts";
import type { LinearPatterns } from "./linear_patterns.ts";
import type { SchemaReferences } from "./schema_references.ts";

/** A check. */
export interface CheckRun {
  /** What is left for it. */
  readonly budget: CheckBudget;
  /** The references of the schema. */
  readonly references: SchemaReferences;
  /** The patterns. */
  readonly patterns: LinearPatterns;
  /** Called for a pattern that is not checked. */
  readonly leaveOut: () => void;
  /** Members of objects that stand in schemas, by object. */
  readonly members: WeakMap<object, readonly (readonly [string, unknown])[]>;
}

/** The members of an object that stands in a schema; none for anything else. They are read once for all values. */
export function membersOf(value: unknown, run: CheckRun): readonly (readonly [string, unknown])[] {
  if (!isJsonObject(value)) return [];
  const known = run.members.get(value);
  if (known !== undefined) return known;
  const members = Object.entries(value);
  run.budget.spend(members.length * 4);
  run.members.set(value, members);
  return members;
}

/** Two values are equal exactly when these texts are. Pays for their size. */
export function canonical(value: unknown, budget: CheckBudget): string {
  budget.spend(typeof value === "string" ? 4 + value.length / 8 : 4);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  budget.enter();
  const text = Array.isArray(value)
    ? `[${value.map((one) => canonical(one, budget)).join()}]`
    : `{${canonicalMembers(value as { readonly [name: string]: unknown }, budget).join()}}`;
  budget.leave();
  return text;
}

function canonicalMembers(
  value: { readonly [name: string]: unknown },
  budget: CheckBudget,
): readonly string[] {
  const names = Object.keys(value).toSorted();
  budget.spend(names.length * 4);
  return names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], budget)}`);
}
