/**
 * Arbitrary JSON values that JavaScript holds exactly, and what the tests do with them. Everything here is
 * written without the code under test.
 *
 * @module
 */

import fc from "fast-check";
import type { JsonValue } from "../../core/json/value.ts";

/** Names that a careless copy, comparison or pointer gets wrong. */
const AWKWARD = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "toJSON",
  "length",
  "0",
  "1",
  "10",
  "-1",
  "",
  "/",
  "~",
  "~1",
  "a/b",
  "m~n",
  "\u0000",
  "\u0000x",
  "ä",
  "😀",
];

/** Strings of any UTF-16 units, lone surrogates and NUL included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

/** Numbers that JSON and JavaScript both hold. */
export const exactNumber: fc.Arbitrary<number> = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) =>
    !Object.is(n, -0) && (!Number.isInteger(n) || Number.isSafeInteger(n))
  ),
);

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  exactNumber,
  anyText,
);

/** Any JSON value that JavaScript holds exactly. */
export const exactJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "json" },
    leaf,
    fc.array(tie("value"), { maxLength: 5, depthIdentifier: "json" }),
    fc.array(fc.tuple(anyText, tie("value")), { maxLength: 5, depthIdentifier: "json" }).map(objectOf),
  ),
})).value;

/** An ordinary object of these members, `__proto__` being one like any other. */
export function objectOf(members: readonly (readonly [string, JsonValue])[]): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of members) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of `value` whose objects have their members in another order, drawn from `seed`. */
export function reordered(value: JsonValue, seed: number): JsonValue {
  let state = seed;
  const draw = (): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0);
  const copy = (v: JsonValue): JsonValue => {
    if (Array.isArray(v)) return v.map(copy);
    if (!isObject(v)) return v;
    const keyed = Object.entries(v).map((entry) => ({ at: draw(), entry }));
    keyed.sort((a, b) => a.at - b.at);
    return objectOf(keyed.map(({ entry: [key, member] }) => [key, copy(member)]));
  };
  return copy(value);
}

/** The text that two values share exactly when they are equal as JSON. Slow, recursive, obvious. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.sort().join(",")}}`;
}

/** Every place of `value` that holds no member, as the keys that lead there. */
export function leafPaths(value: JsonValue): (string | number)[][] {
  const found: (string | number)[][] = [];
  const visit = (v: JsonValue, path: (string | number)[]): void => {
    const members: [string | number, JsonValue][] = Array.isArray(v)
      ? v.map((member, index) => [index, member])
      : isObject(v)
      ? Object.entries(v)
      : [];
    if (members.length === 0) found.push(path);
    for (const [key, member] of members) visit(member, [...path, key]);
  };
  visit(value, []);
  return found;
}

/** A copy of `value` with `leaf` at the end of `path`. */
export function withLeaf(value: JsonValue, path: readonly (string | number)[], leaf: JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return leaf;
  if (Array.isArray(value)) return value.map((v, i) => i === step ? withLeaf(v, rest, leaf) : v);
  return objectOf(
    Object.entries(value as Record<string, JsonValue>).map(([key, v]) =>
      [key, key === step ? withLeaf(v, rest, leaf) : v] as const
    ),
  );
}

/** RFC 6901, read from its text: `~` becomes `~0`, `/` becomes `~1`, each step is led by `/`. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) =>
    "/" + [...String(step)].map((c) => c === "~" ? "~0" : c === "/" ? "~1" : c).join("")
  ).join("");
}

/** JSON text nested `depth` times in arrays, or in objects under `"a"`. */
export function nestedText(depth: number, kind: "array" | "object"): string {
  return kind === "array"
    ? "[".repeat(depth) + "]".repeat(depth)
    : '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
}
