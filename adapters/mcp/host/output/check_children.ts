/**
 * What a schema says about the members of an object and the elements of a list.
 *
 * JSON Schema 2020-12 (core), 10.3 and 11; `items` as a list with `additionalItems`, as in the drafts before.
 *
 * @module
 */

import { isJsonObject } from "../../../../core/json/value.ts";
import type { Schema } from "./check_assertions.ts";
import { type CheckRun, membersOf } from "./check_run.ts";
import type { Evaluated } from "./evaluated.ts";

/** Whether a child matches. */
export type ChildCheck = (schema: unknown, value: unknown, run: CheckRun) => boolean;

/** How children are checked. */
export interface ChildrenOptions {
  /** What goes on. */
  readonly run: CheckRun;
  /** Has and takes what was looked at; `null`: nobody asks. */
  readonly seen: Evaluated | null;
  /** Checks one. */
  readonly check: ChildCheck;
}

/** Whether the members or elements of `value` are what `schema` says; true for a value that has none. */
export function areChildren(schema: Schema, value: unknown, options: ChildrenOptions): boolean {
  if (Array.isArray(value)) return areElements(schema, value, options);
  return !isJsonObject(value) || areMembers(schema, value, options);
}

function areMembers(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  options: ChildrenOptions,
): boolean {
  const { run, seen, check } = options;
  const { properties, propertyNames } = schema;
  const named = isJsonObject(properties) ? properties : null;
  const patterns = membersOf(schema["patternProperties"], run);
  const rest = Object.hasOwn(schema, "additionalProperties");
  if (named === null && patterns.length === 0 && propertyNames === undefined && !rest) {
    return areUnevaluatedMembers(schema, value, options);
  }
  for (const name of Object.keys(value)) {
    run.budget.spend(1);
    if (propertyNames !== undefined && !check(propertyNames, name, run)) return false;
    let matched = false;
    if (named !== null && Object.hasOwn(named, name)) {
      matched = true;
      if (!check(named[name], value[name], run)) return false;
    }
    for (const [pattern, one] of patterns) {
      const matches = run.patterns.test(pattern, name, run.budget);
      if (matches === null) run.leaveOut();
      matched ||= matches !== false; // one that is not checked may match
      if (matches === true && !check(one, value[name], run)) return false;
    }
    if (!matched && rest) {
      matched = true;
      if (!check(schema["additionalProperties"], value[name], run)) return false;
    }
    if (matched) seen?.names.add(name);
  }
  return areUnevaluatedMembers(schema, value, options);
}

function areUnevaluatedMembers(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  { run, seen, check }: ChildrenOptions,
): boolean {
  if (seen === null || !Object.hasOwn(schema, "unevaluatedProperties")) return true;
  for (const name of Object.keys(value)) {
    run.budget.spend(1);
    if (seen.names.has(name)) continue;
    if (!check(schema["unevaluatedProperties"], value[name], run)) return false;
    seen.names.add(name);
  }
  return true;
}

function areElements(schema: Schema, list: readonly unknown[], options: ChildrenOptions): boolean {
  const { run, seen, check } = options;
  const { prefixItems, items, additionalItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  const end = rest === undefined ? Math.min(first.length, list.length) : list.length;
  for (let place = 0; place < end; place += 1) {
    run.budget.spend(1);
    if (!check(place < first.length ? first[place] : rest, list[place], run)) return false;
    seen?.places.add(place);
  }
  return contains(schema, list, options) && areUnevaluatedElements(schema, list, options);
}

function contains(schema: Schema, list: readonly unknown[], { run, seen, check }: ChildrenOptions): boolean {
  if (!Object.hasOwn(schema, "contains")) return true;
  const { minContains, maxContains } = schema;
  let count = 0;
  for (const [place, one] of list.entries()) {
    run.budget.spend(1);
    if (!check(schema["contains"], one, run)) continue;
    count += 1;
    seen?.places.add(place);
  }
  const least = typeof minContains === "number" ? minContains : 1;
  return count >= least && !(typeof maxContains === "number" && count > maxContains);
}

function areUnevaluatedElements(
  schema: Schema,
  list: readonly unknown[],
  { run, seen, check }: ChildrenOptions,
): boolean {
  if (seen === null || !Object.hasOwn(schema, "unevaluatedItems")) return true;
  for (const [place, one] of list.entries()) {
    run.budget.spend(1);
    if (seen.places.has(place)) continue;
    if (!check(schema["unevaluatedItems"], one, run)) return false;
    seen.places.add(place);
  }
  return true;
}
