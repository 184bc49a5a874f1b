/**
 * Values of a configuration file as JSON: what JSON cannot hold becomes its text, and what lies too deep is left out.
 *
 * @module
 */

import { isContainer, type JsonValue } from "../json/value.ts";

/** Levels that are kept. */
const MAX_DEPTH = 32;

/** `value` as JSON. Dates and large integers become their text, numbers that are none `null`. Never throws. */
export function plainJson(value: unknown, depth: number = MAX_DEPTH): JsonValue {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return String(value);
  if (!isContainer(value) || depth === 0) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item, depth - 1)]));
}
