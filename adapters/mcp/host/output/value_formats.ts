/**
 * The formats of schemas, as the SDK's own validator checks them. Their patterns are not linear, so a text that is
 * longer than any value of these formats should be is not checked.
 *
 * JSON Schema 2020-12 (validation), 7.
 *
 * @module
 */

import { addFormats } from "@modelcontextprotocol/client/validators/ajv";
import type { CheckBudget } from "./check_budget.ts";

/** Characters of a text that is checked. */
const MAX_LENGTH = 1_000;

type Names = Parameters<typeof addFormats.get>[0];

/** Whether a value is one of the format; true for a format that nobody knows. */
export function hasFormat(name: string, value: unknown, budget: CheckBudget): boolean {
  const format = formatNamed(name);
  if (format === null) return true;
  if (typeof format === "boolean") return format;
  if (format instanceof RegExp || typeof format === "string" || typeof format === "function") {
    return typeof value !== "string" || textHas(format, value, budget);
  }
  const { validate, type } = format as { readonly validate: unknown; readonly type?: string };
  if (type === "number") {
    return typeof value !== "number" || typeof validate !== "function" || validate(value) === true;
  }
  return typeof value !== "string" || textHas(validate, value, budget);
}

function formatNamed(name: string): ReturnType<typeof addFormats.get> | null {
  if (Object.hasOwn(Object.prototype, name)) return null; // the formats are looked up in a plain object
  try {
    return addFormats.get(name as Names);
  } catch {
    return null; // it is unknown
  }
}

function textHas(format: unknown, text: string, budget: CheckBudget): boolean {
  if (text.length > MAX_LENGTH) return true;
  budget.spend(1 + text.length + text.length * text.length / 32);
  if (typeof format === "function") return format(text) === true;
  const pattern = format instanceof RegExp ? format : typeof format === "string" ? new RegExp(format) : null;
  if (pattern === null) return true;
  pattern.lastIndex = 0;
  return pattern.test(text);
}
