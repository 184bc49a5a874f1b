/**
 * JSON texts as values that compare exactly: object order free, array order kept, numbers by their
 * mathematical value at any size, `1` = `1.0` = `10e-1`.
 *
 * `JSON.parse` would take 9007199254740993 for 9007199254740992. Here a number that JavaScript does not hold
 * becomes a marked string, so that `equal.ts` and `changes.ts` work on the result unchanged.
 *
 * @module
 */

import { JsonError } from "../errors.ts";
import { decimal } from "./decimal.ts";
import { equalJson } from "./equal.ts";
import type { JsonValue } from "./value.ts";
import { writeJson } from "./write.ts";

/** Leads a number that became a string; strings that begin with it get it twice. */
const MARK = "\0";

/** A string, a bracket, or a number or word. Linear: no two parts of it can match the same character. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[\w.+-]+/g;

/**
 * Tells whether two JSON texts are the same JSON value.
 *
 * @throws {JsonError} `JSON_MALFORMED` when one of two different texts is not JSON.
 * @throws {JsonError} `JSON_DUPLICATE_KEY` when one of two different texts names a key twice in an object.
 */
export function equalJsonTexts(a: string, b: string): boolean {
  return a === b || equalJson(parseComparable(a), parseComparable(b));
}

/**
 * Parses a JSON text into the comparable form of its value. Two results are equal (`equal.ts`) exactly where
 * the texts are the same JSON value. Does not recurse.
 *
 * @throws {JsonError} `JSON_MALFORMED` when `text` is not JSON.
 * @throws {JsonError} `JSON_DUPLICATE_KEY` when an object in it names a key twice.
 */
export function parseComparable(text: string): JsonValue {
  const value = parse(text);
  // what the built-in writer gives back letter for letter lost nothing on the way in
  return writeJson(value) === text && !text.includes("\\u0000") ? value : build(text);
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // the engine's message quotes the text, which may be a policy
    throw new JsonError("JSON_MALFORMED", "Cannot compare a JSON text: it is malformed");
  }
}

type Container = JsonValue[] | Record<string, JsonValue>;

/**
 * Builds the comparable form of a text that is known to be well-formed, token by token: V8 15.0 can take the escape
 * in one key for the letters of another that it has seen in its place before, so no object is left to its parser.
 */
function build(text: string): JsonValue {
  const root: JsonValue[] = [];
  const open: Container[] = [];
  let container: Container = root;
  let key: string | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "]" || token === "}") {
      container = open.pop()!;
    } else if (key === undefined && !Array.isArray(container)) {
      key = JSON.parse(token) as string;
      if (Object.hasOwn(container, key)) {
        throw new JsonError("JSON_DUPLICATE_KEY", "Cannot compare a JSON text: an object names a key twice");
      }
    } else {
      const child: Container | null = token === "[" ? [] : token === "{" ? Object.create(null) : null;
      const value = child ?? comparableLeaf(token);
      if (Array.isArray(container)) container.push(value);
      else container[key!] = value;
      key = undefined;
      if (child === null) continue;
      open.push(container);
      container = child;
    }
  }
  return root[0]!;
}

/** A word, a string or a number as it compares. */
function comparableLeaf(token: string): JsonValue {
  if (!/^[-\d]/.test(token)) {
    const value: JsonValue = JSON.parse(token);
    return typeof value === "string" && value.startsWith(MARK) ? MARK + value : value;
  }
  const exact = decimal(token);
  const held = Number(token);
  return decimal(String(held)) === exact ? held + 0 : MARK + exact;
}
