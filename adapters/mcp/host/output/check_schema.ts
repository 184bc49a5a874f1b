/**
 * Checks a value against a schema, and pays for each step (`check_budget.ts`). Whatever the two are, it ends.
 *
 * What is said of a value itself is `check_assertions.ts`'s; of its members and elements, `check_children.ts`'s. Here
 * is what one schema says by others of the same value. JSON Schema 2020-12 (core), 10.2; what the drafts from 6 on
 * say otherwise is understood too, as far as no two of them contradict.
 *
 * @module
 */

import { isJsonObject } from "../../../../core/json/value.ts";
import { isAsserted, type Schema } from "./check_assertions.ts";
import { areChildren, type ChildCheck } from "./check_children.ts";
import { type CheckRun, membersOf } from "./check_run.ts";
import { addEvaluated, type Evaluated, nothingEvaluated } from "./evaluated.ts";

/** How a value is checked. */
export interface CheckOptions {
  /** What goes on. */
  readonly run: CheckRun;
  /** Takes what was looked at, when it matches; `null`: nobody asks. */
  readonly seen: Evaluated | null;
}

/** Units of one schema at one value. */
const UNITS = 4;

/**
 * Whether `value` matches `schema`. What is no schema says nothing.
 *
 * @throws {CheckGivenUp} when it takes too long, is nested too deeply, or a reference leads nowhere.
 */
export function matchesSchema(schema: unknown, value: unknown, { run, seen }: CheckOptions): boolean {
  run.budget.spend(UNITS);
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema)) return true;
  run.budget.enter();
  const own = run.references.remembers ? nothingEvaluated() : null;
  const matches = isAsserted(schema, value, { run }) && areApplied(schema, value, { run, seen: own }) &&
    areChildren(schema, value, { run, seen: own, check });
  if (matches && own !== null && seen !== null) run.budget.spend(addEvaluated(seen, own) * 4);
  run.budget.leave();
  return matches;
}

const check: ChildCheck = (schema, value, run) => matchesSchema(schema, value, { run, seen: null });

function areApplied(schema: Schema, value: unknown, { run, seen }: CheckOptions): boolean {
  const here = (one: unknown): boolean => matchesSchema(one, value, { run, seen });
  return areReferred(schema, here, { run }) && listOf(schema["allOf"]).every(here) &&
    isAny(schema["anyOf"], here, { all: seen !== null }) && isOneOf(schema["oneOf"], here) &&
    !(Object.hasOwn(schema, "not") && matchesSchema(schema["not"], value, { run, seen: null })) &&
    isConditional(schema, here) && areDependent(schema, value, { run, seen });
}

function areReferred(
  schema: Schema,
  here: (one: unknown) => boolean,
  { run }: { readonly run: CheckRun },
): boolean {
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  if (typeof $dynamicRef === "string") run.references.requireOne($dynamicRef);
  if (typeof $recursiveRef === "string") run.references.requireOne("#");
  return [$ref, $dynamicRef, $recursiveRef].every((one) =>
    typeof one !== "string" || here(run.references.follow(schema, one))
  );
}

/** Each matching one may have looked at something, so with `all` none is left out. */
function isAny(
  schemas: unknown,
  here: (one: unknown) => boolean,
  { all }: { readonly all: boolean },
): boolean {
  if (!Array.isArray(schemas)) return true;
  return all ? schemas.filter(here).length > 0 : schemas.some(here);
}

function isOneOf(schemas: unknown, here: (one: unknown) => boolean): boolean {
  if (!Array.isArray(schemas)) return true;
  let matching = 0;
  return schemas.every((one) => !here(one) || (matching += 1) === 1) && matching === 1;
}

function isConditional(schema: Schema, here: (one: unknown) => boolean): boolean {
  if (!Object.hasOwn(schema, "if")) return true;
  const branch = here(schema["if"]) ? "then" : "else";
  return !Object.hasOwn(schema, branch) || here(schema[branch]);
}

function areDependent(schema: Schema, value: unknown, { run, seen }: CheckOptions): boolean {
  if (!isJsonObject(value)) return true;
  for (const depending of [schema["dependentSchemas"], schema["dependencies"]]) {
    for (const [name, one] of membersOf(depending, run)) {
      run.budget.spend(1);
      if (!Object.hasOwn(value, name) || Array.isArray(one)) continue;
      if (!matchesSchema(one, value, { run, seen })) return false;
    }
  }
  return true;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
