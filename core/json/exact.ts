/**
 * Exactness: would `JSON.stringify` write this value as the text it was parsed from meant it?
 *
 * JavaScript rounds integers beyond 2^53 - 1, turns `1e400` into `Infinity` (written as `null`) and writes
 * `-0` as `0`. A value that may have suffered so is not passed on. What a parsed value cannot show, the order
 * of integer-like keys and repeated keys, cannot be seen here either; only the source text tells.
 * `write.ts` writes values that passed.
 *
 * @module
 */

import { walkTogether } from "./equal.ts";
import type { JsonValue } from "./value.ts";

/**
 * Tells whether `value` is a JSON value that JavaScript holds exactly: no non-finite number, no negative
 * zero, no integer beyond the safe range, and nothing that is not JSON (`undefined`, a function, a class
 * instance, a hole in an array). Does not recurse: any depth will do.
 */
export function isExactJson(value: unknown): value is JsonValue {
  return equalExactJson(value, value);
}

/** Tells whether `value` is exact ({@linkcode isExactJson}) and `twin` equal to it, in one walk. */
export function equalExactJson(value: unknown, twin: unknown): boolean {
  return walkTogether(value, twin, isSameExactLeaf, isPlain);
}

function isSameExactLeaf(value: unknown, twin: unknown): boolean {
  if (value !== twin) return false;
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0) &&
      (Number.isSafeInteger(value) || !Number.isInteger(value));
  }
  return value === null || typeof value === "boolean";
}

/** An object literal, of this realm or another; `Date`, `Map` and the like are not. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
