/**
 * Equality of two parsed JSON values, and whether JavaScript holds a value exactly, asked in one walk.
 *
 * Exactly means: `JSON.stringify` writes the value as the text it was parsed from meant it. JavaScript rounds
 * integers beyond 2^53 - 1, turns `1e400` into `Infinity` (written as `null`) and writes `-0` as `0`. A value that
 * may have suffered so is not passed on. What a parsed value cannot show, the order of integer-like keys and
 * repeated keys, cannot be seen here either; only the source text tells. Which places of two values differ is
 * `changes.ts`'s question.
 *
 * @module
 */

import { isContainer, type JsonValue } from "./value.ts";

/**
 * Tells whether two JSON values are equal: object order free, array order kept. Does not recurse: any depth will do.
 *
 * Only own enumerable properties count; an inherited property never stands in for a missing one.
 */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  return walk(a, b, false);
}

/**
 * Tells whether `value` is a JSON value that JavaScript holds exactly: no non-finite number, no negative
 * zero, no integer beyond the safe range, and nothing that is not JSON (`undefined`, a function, a class
 * instance, a hole in an array). Does not recurse: any depth will do.
 */
export function isExactJson(value: unknown): value is JsonValue {
  return walk(value, value, true);
}

/** Tells whether `value` is exact ({@linkcode isExactJson}) and `twin` equal to it, in one walk. */
export function equalExactJson(value: unknown, twin: unknown): boolean {
  return walk(value, twin, true);
}

function walk(a: unknown, b: unknown, exact: boolean): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b && (!exact || isExactLeaf(a));
  const pending: object[] = [b, a];
  const keys: string[] = []; // of one object at a time
  let wary = false;
  for (const _ in {}) wary = true; // somebody made Object.prototype longer
  for (let x = pending.pop(), y = pending.pop(); x && y; x = pending.pop(), y = pending.pop()) {
    if (Array.isArray(x)) {
      if (!Array.isArray(y) || x.length !== y.length) return false;
      for (let i = 0; i < x.length; i++) {
        const p: unknown = x[i];
        const q: unknown = y[i];
        if (isContainer(p)) {
          if (!isContainer(q)) return false;
          pending.push(q, p);
        } else if (p !== q || exact && typeof p !== "string" && !isExactLeaf(p)) return false;
      }
    } else {
      if (Array.isArray(y) || exact && !isPlain(x)) return false;
      const xs = x as Record<string, unknown>;
      const ys = y as Record<string, unknown>;
      let size = 0;
      for (const key in xs) {
        if (wary && !Object.hasOwn(xs, key)) continue;
        keys[size++] = key;
        const p = xs[key];
        const q = ys[key];
        if (isContainer(p)) {
          if (!isContainer(q)) return false;
          pending.push(q, p);
        } else if (p !== q || exact && typeof p !== "string" && !isExactLeaf(p)) return false;
      }
      if (x === y) continue;
      let at = 0;
      let inOrder = true;
      for (const key in ys) {
        if (wary && !Object.hasOwn(ys, key)) continue;
        if (keys[at++] !== key) inOrder = false;
      }
      if (at !== size) return false;
      // keys in the same order are the same keys, and most are
      while (!inOrder && at > 0) if (!Object.hasOwn(ys, keys[--at]!)) return false;
    }
  }
  return true;
}

function isExactLeaf(value: unknown): boolean {
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0) &&
      (Number.isSafeInteger(value) || !Number.isInteger(value));
  }
  return value === null || typeof value === "string" || typeof value === "boolean";
}

/** An object literal, of this realm or another; `Date`, `Map` and what inherits anything else are not. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf") &&
    !("toJSON" in prototype);
}
