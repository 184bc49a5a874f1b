/**
 * Equality of two parsed JSON values: object order free, array order kept. Values that JavaScript holds
 * exactly (`exact.ts`) compare exactly here. Which places differ is `changes.ts`'s concern.
 *
 * @module
 */

import type { JsonValue } from "./value.ts";

/**
 * How many members ECMAScript gives `Object.prototype`. None of them is a primitive or enumerable, so that with
 * no more than these an inherited member cannot equal a leaf, and `for…in` sees own members alone.
 */
const BUILT_IN_MEMBERS = 12;

/**
 * Tells whether two JSON values are equal. Does not recurse: any depth will do.
 *
 * Only own enumerable properties count; an inherited property never stands in for a missing one.
 */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (!isContainer(a) || !isContainer(b)) return a === b;
  const wary = Object.getOwnPropertyNames(Object.prototype).length > BUILT_IN_MEMBERS;
  const left: object[] = [a];
  const right: object[] = [b];
  for (let x = left.pop(), y = right.pop(); x && y; x = left.pop(), y = right.pop()) {
    if (Array.isArray(x)) {
      if (!Array.isArray(y) || x.length !== y.length) return false;
      for (let i = 0; i < x.length; i++) {
        const p: unknown = x[i];
        const q: unknown = y[i];
        if (p === q) continue;
        if (typeof p !== "object" || typeof q !== "object" || p === null || q === null) return false;
        left.push(p);
        right.push(q);
      }
    } else {
      if (Array.isArray(y)) return false;
      const xs = x as Record<string, unknown>;
      const ys = y as Record<string, unknown>;
      let surplus = 0;
      for (const key in xs) {
        if (wary && !Object.hasOwn(xs, key)) continue;
        if (wary && !Object.hasOwn(ys, key)) return false;
        surplus++;
        const p = xs[key];
        const q = ys[key];
        if (p === q) continue;
        if (typeof p !== "object" || typeof q !== "object" || p === null || q === null) return false;
        if (!Object.hasOwn(ys, key)) return false;
        left.push(p);
        right.push(q);
      }
      for (const key in ys) if (!wary || Object.hasOwn(ys, key)) surplus--;
      if (surplus !== 0) return false;
    }
  }
  return true;
}

function isContainer(value: JsonValue): value is Exclude<JsonValue, string | number | boolean | null> {
  return typeof value === "object" && value !== null;
}
