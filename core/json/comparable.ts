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
import { equalJson } from "./equal.ts";
import type { JsonValue } from "./value.ts";
import { writeJson } from "./write.ts";

/** Leads a number that became a string; strings that begin with it get it twice. */
const MARK = "\0";

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

/** Builds the comparable form of a text that is known to be well-formed. */
function build(text: string): JsonValue {
  const open: Container[] = [];
  const root: JsonValue[] = [];
  let container: Container = root;
  let key: string | undefined;
  const put = (value: JsonValue): void => {
    if (Array.isArray(container)) container.push(value);
    else container[key!] = value;
    key = undefined;
  };
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    if (character === '"') {
      const end = stringEnd(text, at);
      const string: string = JSON.parse(text.slice(at, end));
      at = end;
      if (Array.isArray(container) || key !== undefined) {
        put(string.startsWith(MARK) ? MARK + string : string);
      } else if (Object.hasOwn(container, string)) {
        throw new JsonError("JSON_DUPLICATE_KEY", "Cannot compare a JSON text: an object names a key twice");
      } else key = string;
    } else if (character === "{" || character === "[") {
      const child: Container = character === "[" ? [] : Object.create(null);
      put(child);
      open.push(container);
      container = child;
      at++;
    } else if (character === "}" || character === "]") {
      container = open.pop()!;
      at++;
    } else if (STRUCTURE.test(character)) at++;
    else {
      const end = tokenEnd(text, at);
      put(literal(text.slice(at, end)));
      at = end;
    }
  }
  return root[0]!;
}

const STRUCTURE = /[\s:,]/;

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function tokenEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[\w.+-]/.test(text[at]!)) at++;
  return at;
}

function literal(token: string): JsonValue {
  if (!/^[-\d]/.test(token)) return JSON.parse(token);
  const exact = decimal(token);
  const held = Number(token);
  return Number.isFinite(held) && decimal(String(held)) === exact ? held + 0 : MARK + exact;
}

/** A number's mathematical value as `<digits>e<exponent>`, without zeros at either end; zero is `0`. */
function decimal(token: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${scale}`;
}
