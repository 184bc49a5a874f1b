/**
 * Deep freezing of a JSON value.
 *
 * @module
 */

import { isContainer, type JsonValue } from "./value.ts";

/** Freezes `value` and everything in it, and gives it back. Does not recurse: any depth will do. */
export function freezeJson<T extends JsonValue>(value: T): T {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isContainer(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) pending.push(member);
  }
  return value;
}
