/**
 * JSON text of a value: what `JSON.stringify` writes, at any depth and whatever was put on the built-in
 * prototypes. Whether the value survives the writing is `exact.ts`'s concern.
 *
 * @module
 */

import type { JsonValue } from "./value.ts";

/**
 * Writes `value` without white space, members in their own order, lone surrogates escaped.
 *
 * The built-in writer does it where it can: it overflows the stack at a depth of some thousands and calls a
 * `toJSON` that someone put on a prototype; in both cases a writer of our own takes over.
 *
 * A value that contains itself, or a `bigint`, is no JSON value and makes it throw a `TypeError`.
 */
export function writeJson(value: JsonValue): string {
  if ("toJSON" in Object.prototype || "toJSON" in Array.prototype) return writeIteratively(value);
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return writeIteratively(value);
    throw error;
  }
}

/** One open array or object: what closes it, what is left of it. */
interface Frame {
  readonly container: object;
  readonly keys: readonly string[] | null;
  readonly size: number;
  next: number;
}

function writeIteratively(root: JsonValue): string {
  const parts: string[] = [];
  const open: Frame[] = [];
  const entered = new Set<object>();
  const write = (value: unknown): void => {
    if (typeof value === "bigint") throw new TypeError("Cannot write a bigint");
    if (typeof value !== "object" || value === null) {
      parts.push(JSON.stringify(value));
      return;
    }
    if (entered.has(value)) throw new TypeError("Cannot write a value that contains itself");
    entered.add(value);
    const keys = Array.isArray(value) ? null : Object.keys(value);
    parts.push(keys ? "{" : "[");
    open.push({ container: value, keys, size: keys ? keys.length : (value as unknown[]).length, next: 0 });
  };
  write(root);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.next === frame.size) {
      parts.push(frame.keys ? "}" : "]");
      entered.delete(frame.container);
      open.pop();
      continue;
    }
    const index = frame.next++;
    if (index > 0) parts.push(",");
    const key = frame.keys ? frame.keys[index]! : index;
    if (frame.keys) parts.push(JSON.stringify(key), ":");
    write((frame.container as Record<string | number, unknown>)[key]);
  }
  return parts.join("");
}
