/**
 * Stand-in for the part of `@std/assert` that the tests of this repository use, for machines that do not reach
 * the registry of that package. Same names, signatures and verdicts; the texts of failures may differ.
 * `equal.ts` beside it owns deep equality. Never published.
 *
 * @module
 */

import { inspect } from "node:util";
import { AssertionError } from "./assertion_error.ts";
import { equal } from "./equal.ts";

export { AssertionError } from "./assertion_error.ts";
export { equal } from "./equal.ts";
export { assertRejects, assertThrows } from "./throws.ts";

/** A class whose instances can be made, whatever it takes. */
export type AnyConstructor = new (...args: never[]) => unknown;

/** What a class makes. */
export type GetConstructorType<T extends AnyConstructor> = T extends new (...args: never[]) => infer C ? C
  : never;

function show(value: unknown): string {
  return inspect(value, {
    depth: 12,
    maxArrayLength: 200,
    maxStringLength: 4000,
    breakLength: 100,
    sorted: true,
  });
}

function suffix(msg: string | undefined): string {
  return msg ? `: ${msg}` : ".";
}

/** Asserts that `expr` is truthy. */
export function assert(expr: unknown, msg: string = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}

/** Asserts that two values are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void {
  if (equal(actual, expected)) return;
  throw new AssertionError(
    `Values are not equal${suffix(msg)}\n- actual:   ${show(actual)}\n+ expected: ${show(expected)}`,
  );
}

/** Asserts that two values are not deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void {
  if (!equal(actual, expected)) return;
  throw new AssertionError(`Expected actual: ${show(actual)} not to be: ${show(expected)}${suffix(msg)}`);
}

/** Asserts that two values are the same one, by `Object.is`. */
export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T {
  if (Object.is(actual, expected)) return;
  const state = equal(actual, expected)
    ? "Values have the same structure but are not reference-equal"
    : "Values are not strictly equal";
  throw new AssertionError(
    `${state}${suffix(msg)}\n- actual:   ${show(actual)}\n+ expected: ${show(expected)}`,
  );
}

/** Asserts that `actual` is neither `undefined` nor `null`. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  throw new AssertionError(`Expected actual: "${actual}" to not be null or undefined${suffix(msg)}`);
}

/** Asserts that `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void {
  if (actual.includes(expected)) return;
  throw new AssertionError(`Expected actual: "${actual}" to contain: "${expected}"${suffix(msg)}`);
}

/** Asserts that `expected` matches `actual`. A pattern with `g` or `y` keeps its place, as everywhere. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void {
  if (expected.test(actual)) return;
  throw new AssertionError(`Expected actual: "${actual}" to match: "${expected}"${suffix(msg)}`);
}

/** Asserts that `actual` is an instance of `expectedType`. */
export function assertInstanceOf<T extends AnyConstructor>(
  actual: unknown,
  expectedType: T,
  msg: string = "",
): asserts actual is GetConstructorType<T> {
  if (actual instanceof expectedType) return;
  const is = typeof actual === "object" && actual !== null
    ? actual.constructor?.name ?? "Object"
    : typeof actual;
  throw new AssertionError(
    `Expected object to be an instance of "${expectedType.name}" but was "${actual === null ? "null" : is}"${
      suffix(msg)
    }`,
  );
}

/** Fails. */
export function fail(msg?: string): never {
  throw new AssertionError(`Failed assertion${suffix(msg)}`);
}
