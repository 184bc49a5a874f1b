/**
 * Assertions about functions that throw and promises that reject. `mod.ts` owns the assertions about values.
 *
 * @module
 */

import { AssertionError } from "./assertion_error.ts";

/** The class of an error, whatever its constructor takes. */
type ErrorClassOf<E extends Error> = new (...args: never[]) => E;

interface Wanted<E extends Error> {
  readonly ErrorClass: ErrorClassOf<E> | undefined;
  readonly msgIncludes: string | undefined;
  readonly msgSuffix: string;
}

function want<E extends Error>(
  classOrMsg: ErrorClassOf<E> | string | undefined,
  texts: readonly [string | undefined, string | undefined],
): Wanted<E> {
  const [includes, msg] = texts;
  const isText = typeof classOrMsg === "string";
  const text = isText ? classOrMsg : msg;
  return {
    ErrorClass: isText ? undefined : classOrMsg,
    msgIncludes: isText ? undefined : includes,
    msgSuffix: text ? `: ${text}` : ".",
  };
}

function check<E extends Error>(thrown: unknown, wanted: Wanted<E>, verb: "thrown" | "rejected"): void {
  const { ErrorClass, msgIncludes, msgSuffix } = wanted;
  if (ErrorClass === undefined) return;
  if (!(thrown instanceof Error)) throw new AssertionError(`A non-Error object was ${verb}${msgSuffix}`);
  if (!(thrown instanceof ErrorClass)) {
    throw new AssertionError(
      `Expected error to be instance of "${ErrorClass.name}", but was "${thrown.constructor?.name}"${msgSuffix}`,
      { cause: thrown },
    );
  }
  if (msgIncludes && !thrown.message.includes(msgIncludes)) {
    throw new AssertionError(
      `Expected error message to include ${JSON.stringify(msgIncludes)}, but got ${
        JSON.stringify(thrown.message)
      }${msgSuffix}`,
    );
  }
}

/** Asserts that `fn` throws, and returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Asserts that `fn` throws an instance of a class, whose message contains a text; returns the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: new (...args: never[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  classOrMsg?: ErrorClassOf<E> | string,
  msgIncludes?: string,
  msg?: string,
): unknown {
  const wanted = want(classOrMsg, [msgIncludes, msg]);
  try {
    fn();
  } catch (error) {
    check(error, wanted, "thrown");
    return error;
  }
  throw new AssertionError(`Expected function to throw${wanted.msgSuffix}`);
}

/** Asserts that the promise of `fn` rejects, and resolves to the reason. A synchronous throw is a failure. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
/** Asserts that the promise of `fn` rejects with an instance of a class; resolves to the error. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: new (...args: never[]) => E,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  classOrMsg?: ErrorClassOf<E> | string,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  const wanted = want(classOrMsg, [msgIncludes, msg]);
  const promise = start(fn, wanted.msgSuffix);
  try {
    await promise;
  } catch (error) {
    check(error, wanted, "rejected");
    return error;
  }
  throw new AssertionError(`Expected function to reject${wanted.msgSuffix}`);
}

function start(fn: () => PromiseLike<unknown>, msgSuffix: string): PromiseLike<unknown> {
  const state = `Function throws when expected to reject${msgSuffix}`;
  let value: unknown;
  try {
    value = fn();
  } catch (error) {
    throw new AssertionError(state, { cause: error });
  }
  const isPromise = typeof value === "object" && value !== null && "then" in value;
  if (!isPromise) throw new AssertionError(state);
  return value as PromiseLike<unknown>;
}
