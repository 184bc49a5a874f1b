/**
 * What a schema says about a value itself: its type, its size, its text, its number, and which values it may be.
 *
 * JSON Schema 2020-12 (validation), 6 and 7. A keyword whose own value is none that the specification allows says
 * nothing.
 *
 * @module
 */

import { isJsonObject } from "../../../../core/json/value.ts";
import { canonical, type CheckRun, membersOf } from "./check_run.ts";
import { hasFormat } from "./value_formats.ts";

/** A schema, as it came. */
export type Schema = { readonly [keyword: string]: unknown };

/** How far a quotient may be from a whole number, in parts of itself: binary fractions are not the decimal ones. */
const INEXACT = 1e-12;

/** Whether `value` is what `schema` says about it alone, its members and elements left aside. */
export function isAsserted(schema: Schema, value: unknown, { run }: { readonly run: CheckRun }): boolean {
  if (!hasType(schema, value) || !isChosen(schema, value, { run })) return false;
  if (typeof value === "string") return isText(schema, value, { run });
  if (typeof value === "number") return isNumber(schema, value, { run });
  if (Array.isArray(value)) return isList(schema, value, { run });
  return !isJsonObject(value) || isRecord(schema, value, { run });
}

function hasType({ type, nullable }: Schema, value: unknown): boolean {
  if (typeof type !== "string" && !Array.isArray(type)) return true;
  if (value === null && nullable === true) return true;
  const types: readonly unknown[] = typeof type === "string" ? [type] : type;
  return types.some((one) => isOfType(one, value));
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    default:
      return false; // there is no such type
  }
}

function isChosen(schema: Schema, value: unknown, { run }: { readonly run: CheckRun }): boolean {
  const { budget } = run;
  const isOne = (option: unknown): boolean => {
    budget.spend(1);
    if (typeof option !== "object" || option === null) return option === value;
    return typeof value === "object" && canonical(option, budget) === canonical(value, budget);
  };
  if (Object.hasOwn(schema, "const") && !isOne(schema["const"])) return false;
  const options = schema["enum"];
  return !Array.isArray(options) || options.some(isOne);
}

function isText(schema: Schema, text: string, { run }: { readonly run: CheckRun }): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof minLength === "number" || typeof maxLength === "number") {
    run.budget.spend(text.length / 8);
    if (!isWithin(charactersIn(text), { least: minLength, most: maxLength })) return false;
  }
  if (typeof pattern === "string") {
    const matches = run.patterns.test(pattern, text, run.budget);
    if (matches === null) run.leaveOut();
    if (matches === false) return false;
  }
  return typeof format !== "string" || hasFormat(format, text, run.budget);
}

/** Characters of a text: two halves that belong together are one. */
function charactersIn(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    const half = text.charCodeAt(at);
    if (half < 0xDC00 || half > 0xDFFF) continue;
    const before = text.charCodeAt(at - 1);
    if (before >= 0xD800 && before <= 0xDBFF) pairs += 1;
  }
  return text.length - pairs;
}

function isNumber(schema: Schema, value: number, { run }: { readonly run: CheckRun }): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  if (!isWithin(value, { least: minimum, most: maximum })) return false;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return false;
  if (typeof multipleOf === "number" && multipleOf > 0 && !isMultiple(value, multipleOf)) return false;
  return typeof format !== "string" || hasFormat(format, value, run.budget);
}

function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  if (!Number.isFinite(quotient)) return value % divisor === 0;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * INEXACT;
}

function isList(schema: Schema, list: readonly unknown[], { run }: { readonly run: CheckRun }): boolean {
  if (!isWithin(list.length, { least: schema["minItems"], most: schema["maxItems"] })) return false;
  if (schema["uniqueItems"] !== true) return true;
  return new Set(list.map((one) => canonical(one, run.budget))).size === list.length;
}

function isRecord(
  schema: Schema,
  record: Readonly<Record<string, unknown>>,
  { run }: { readonly run: CheckRun },
): boolean {
  const { required, minProperties, maxProperties, dependentRequired, dependencies } = schema;
  if (!hasAll(required, record, { run })) return false;
  if (typeof minProperties === "number" || typeof maxProperties === "number") {
    const count = Object.keys(record).length;
    run.budget.spend(count);
    if (!isWithin(count, { least: minProperties, most: maxProperties })) return false;
  }
  for (const depending of [dependentRequired, dependencies]) {
    for (const [name, needed] of membersOf(depending, run)) {
      run.budget.spend(1);
      if (Object.hasOwn(record, name) && !hasAll(needed, record, { run })) return false;
    }
  }
  return true;
}

/** Whether `record` has every name; anything but a list of names asks for none. */
function hasAll(names: unknown, record: object, { run }: { readonly run: CheckRun }): boolean {
  if (!Array.isArray(names)) return true;
  run.budget.spend(names.length);
  return names.every((name) => typeof name !== "string" || Object.hasOwn(record, name));
}

function isWithin(
  value: number,
  { least, most }: { readonly least: unknown; readonly most: unknown },
): boolean {
  return !(typeof least === "number" && value < least) && !(typeof most === "number" && value > most);
}
