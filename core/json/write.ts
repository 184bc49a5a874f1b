/**
 * JSON text of a value: what `JSON.stringify` writes, at any depth and whatever was put on the built-in
 * prototypes. Whether the value survives the writing is `exact_text.ts`'s concern.
 *
 * @module
 */

import { isContainer, type JsonValue } from "./value.ts";

/**
 * Writes `value` without white space, members in their own order, lone surrogates escaped.
 *
 * The built-in writer does it where it can: it overflows the stack at a depth of some thousands and calls a `toJSON`
 * that someone put on a prototype; in both cases a writer of our own takes over.
 *
 * A value that contains itself, or a `bigint`, is no JSON value and makes it throw a `TypeError`.
 */
export function writeJson(value: JsonValue): string {
  if ("toJSON" in Array.prototype) return writeIteratively(value); // which inherits Object.prototype's
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return writeIteratively(value);
    throw error;
  }
}

/** What {@linkcode writeJson} writes, or `null` for what is no JSON value: a circle, a bigint, a function. */
export function tryWriteJson(value: unknown): string | null {
  try {
    return writeJson(value as JsonValue) ?? null;
  } catch {
    return null;
  }
}

function writeIteratively(root: JsonValue): string {
  const parts: string[] = [];
  const open = new Set<object>();
  const steps: (() => void)[] = [() => write(root)];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) step();
  return parts.join("");

  function write(value: unknown): void {
    if (typeof value === "bigint" || open.has(value as object)) throw new TypeError("Not a JSON value");
    if (!isContainer(value)) {
      parts.push(JSON.stringify(value));
      return;
    }
    open.add(value);
    const inArray = Array.isArray(value);
    const keys = Object.keys(inArray ? Array.from(value) : value);
    parts.push(inArray ? "[" : "{");
    steps.push(() => {
      open.delete(value);
      parts.push(inArray ? "]" : "}");
    });
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i]!;
      steps.push(() => {
        if (i > 0) parts.push(",");
        if (!inArray) parts.push(JSON.stringify(key), ":");
        write((value as Record<string, unknown>)[key]);
      });
    }
  }
}
