/**
 * Prototype pollution, undone afterwards whatever happens.
 *
 * @module
 */

/** Defines `key` on `prototype` while `body` runs. Assert on the result afterwards, not inside `body`. */
export function polluted<T>(
  prototype: object,
  [key, value]: readonly [string, unknown],
  body: () => T,
): T {
  const before = Object.getOwnPropertyDescriptor(prototype, key);
  if (before === undefined) {
    Object.defineProperty(prototype, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    // an assignment, as a careless merge makes it: what is there keeps its attributes
    Object.defineProperty(prototype, key, { value });
  }
  try {
    return body();
  } finally {
    if (before === undefined) Reflect.deleteProperty(prototype, key);
    else Object.defineProperty(prototype, key, before);
  }
}
