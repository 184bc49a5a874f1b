/**
 * Equality of two parsed JSON values: object order free, array order kept. Whether JavaScript holds a value
 * exactly is `exact.ts`'s question, asked in the same walk; which places differ is `changes.ts`'s.
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
  return walkTogether(a, b, isSame);
}

/** Decides over two values that are not both containers, the first one being no string. */
export type LeafRule = (a: unknown, b: unknown) => boolean;

function isSame(a: unknown, b: unknown): boolean {
  return a === b;
}

/**
 * Walks two values at once. `false` as soon as a member has no counterpart, two strings differ, the kinds of two
 * containers differ, or a rule says no: `leaf` for every pair that is not two strings or two containers,
 * `container` for every container of `a`.
 */
export function walkTogether(
  a: unknown,
  b: unknown,
  leaf: LeafRule,
  container?: (value: object) => boolean,
): boolean {
  if (!isContainer(a) || !isContainer(b)) return typeof a === "string" ? a === b : leaf(a, b);
  const wary = Object.getOwnPropertyNames(Object.prototype).length > BUILT_IN_MEMBERS;
  const left: object[] = [a];
  const right: object[] = [b];
  for (let x = left.pop(), y = right.pop(); x && y; x = left.pop(), y = right.pop()) {
    if (Array.isArray(x)) {
      if (!Array.isArray(y) || x.length !== y.length) return false;
      for (let i = 0; i < x.length; i++) {
        const p: unknown = x[i];
        const q: unknown = y[i];
        if (typeof p === "string" ? p === q : !isContainer(p) && leaf(p, q)) continue;
        if (!isContainer(p) || !isContainer(q)) return false;
        left.push(p);
        right.push(q);
      }
    } else {
      if (Array.isArray(y) || container?.(x) === false) return false;
      const xs = x as Record<string, unknown>;
      const ys = y as Record<string, unknown>;
      let surplus = 0;
      for (const key in xs) {
        if (wary && !Object.hasOwn(xs, key)) continue;
        if (wary && !Object.hasOwn(ys, key)) return false;
        surplus++;
        const p = xs[key];
        const q = ys[key];
        if (typeof p === "string" ? p === q : !isContainer(p) && leaf(p, q)) continue;
        if (!isContainer(p) || !isContainer(q) || !Object.hasOwn(ys, key)) return false;
        left.push(p);
        right.push(q);
      }
      if (x === y) continue;
      for (const key in ys) if (!wary || Object.hasOwn(ys, key)) surplus--;
      if (surplus !== 0) return false;
    }
  }
  return true;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
