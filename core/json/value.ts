/**
 * JSON as TypeScript sees it. What a text can hold and JavaScript cannot is `exact_text.ts`'s concern.
 *
 * @module
 */

/** A value that JSON (RFC 8259) can write. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Only own enumerable properties count. */
export interface JsonObject {
  /** A member. */
  readonly [key: string]: JsonValue;
}

/** Tells whether `value` is an array or an object. */
export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Tells whether `value` is an object as JSON means it: neither `null` nor an array. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: unknown } {
  return isContainer(value) && !Array.isArray(value);
}

/** The own property `key` of `value`, read once; `undefined` when there is none or `value` is no object. */
export function ownProperty(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** One step of a JSON Pointer (RFC 6901, section 3), escaped and led by its slash. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
