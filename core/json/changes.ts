/**
 * Where two JSON values differ, as JSON Pointers (RFC 6901). Whether they differ at all is cheaper to ask
 * `equal.ts`.
 *
 * @module
 */

import { isContainer, type JsonValue, pointerStep } from "./value.ts";

/**
 * JSON Pointers of every place where `b` differs from `a`: of a leaf whose value changed, of a member that
 * came or went, of a value whose kind changed. Empty for equal values; `[""]` when the roots themselves
 * differ. Members of `a` come in their order, then those that only `b` has. Does not recurse.
 */
export function jsonChanges(a: JsonValue, b: JsonValue): readonly string[] {
  const found: string[] = [];
  const pending: [JsonValue, JsonValue, string][] = [[a, b, ""]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [x, y, pointer] = next;
    const members = isContainer(x) && isContainer(y) && Array.isArray(x) === Array.isArray(y)
      ? memberKeys(x, y)
      : null;
    if (members === null) {
      if (x !== y) found.push(pointer);
      continue;
    }
    for (let i = members.length - 1; i >= 0; i--) {
      const key = members[i]!;
      const p = Object.hasOwn(x as object, key) ? (x as Record<string, JsonValue>)[key] : undefined;
      const q = Object.hasOwn(y as object, key) ? (y as Record<string, JsonValue>)[key] : undefined;
      pending.push([p as JsonValue, q as JsonValue, pointer + pointerStep(key)]);
    }
  }
  return found;
}

function memberKeys(x: JsonValue, y: JsonValue): readonly string[] {
  const keys = Object.keys(x as object);
  return [...keys, ...Object.keys(y as object).filter((key) => !Object.hasOwn(x as object, key))];
}
