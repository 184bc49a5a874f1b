/**
 * Deep equality as the package `@std/assert` defines it: `NaN` equals `NaN`, `0` equals `-0`, an absent
 * property differs from an `undefined` one, and two objects need the same constructor. `mod.ts` asserts on it.
 *
 * @module
 */

/** Whether two values are deeply equal. Cycles are followed once; weak collections are refused. */
export function equal(actual: unknown, expected: unknown): boolean {
  return compare(actual, expected, new Map());
}

type Seen = Map<object, object>;

function compare(a: unknown, b: unknown, seen: Seen): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b || (Number.isNaN(a) && Number.isNaN(b));
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if ((a instanceof RegExp && b instanceof RegExp) || (a instanceof URL && b instanceof URL)) {
    return String(a) === String(b);
  }
  if (a instanceof Date && b instanceof Date) return compare(a.getTime(), b.getTime(), seen);
  if (!sameConstructor(a, b)) return false;
  if (a instanceof WeakMap || a instanceof WeakSet) throw new TypeError("Cannot compare weak collections");
  if (a instanceof WeakRef && b instanceof WeakRef) return compare(a.deref(), b.deref(), seen);
  if (seen.get(a) === b) return true;
  seen.set(a, b);
  if ((a instanceof Set && b instanceof Set) || (a instanceof Map && b instanceof Map)) {
    return sameEntries(a, b, seen);
  }
  return sameProperties(a, b, seen);
}

/** A null prototype and a plain object count as one. */
function sameConstructor(a: object, b: object): boolean {
  const first: unknown = a.constructor;
  const second: unknown = b.constructor;
  return first === second || (first === Object && !second) || (!first && second === Object);
}

function sameEntries(
  a: Set<unknown> | Map<unknown, unknown>,
  b: Set<unknown> | Map<unknown, unknown>,
  seen: Seen,
): boolean {
  if (a.size !== b.size) return false;
  const left = [...b.entries()];
  for (const [key, value] of a.entries()) {
    const found = left.findIndex(([otherKey, otherValue]) =>
      compare(key, otherKey, seen) && compare(value, otherValue, seen)
    );
    if (found < 0) return false;
    left.splice(found, 1);
  }
  return true;
}

function sameProperties(a: object, b: object, seen: Seen): boolean {
  const keys = visibleKeys(a);
  if (keys.length !== visibleKeys(b).length) return false;
  if (a instanceof Error && b instanceof Error) {
    if (a.message !== b.message || a.name !== b.name) return false;
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  return keys.every((key) =>
    Object.hasOwn(b, key) && compare(Reflect.get(a, key), Reflect.get(b, key), seen)
  );
}

function visibleKeys(value: object): (string | symbol)[] {
  return Reflect.ownKeys(value).filter((key) =>
    Object.getOwnPropertyDescriptor(value, key)?.enumerable === true
  );
}
