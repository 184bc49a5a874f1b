/**
 * The grammar of RFC 8259 as offsets: where does the value that begins here end? Nothing is decoded and nothing
 * recurses, and a text is accepted exactly where `JSON.parse` accepts it.
 *
 * Offsets count UTF-16 code units. What to do with the places found is for `scan.ts` and `exact_text.ts`.
 *
 * @module
 */

import { JsonError } from "../errors.ts";

const NONE = 0;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Up to here a string is read character by character; behind it, the engine's search is faster. */
const SHORT = 12;

/** What a string cannot hold as it is, the quote aside. */
// deno-lint-ignore no-control-regex
const SPECIAL: RegExp = /[\\\x00-\x1f]/;

/**
 * End of the value that begins at `start`, which must be its first character. What stands behind it is not
 * looked at.
 *
 * @throws {JsonError} `JSON_MALFORMED` when no value begins there, or it is not JSON.
 */
export function skipValue(text: string, start: number): number {
  const enclosing: number[] = []; // what closes each container around the innermost
  let closing = NONE; // and what closes that one
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = skipString(text, at);
    else if (code === OPEN_BRACE) {
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) !== CLOSE_BRACE) {
        enclosing.push(closing);
        closing = CLOSE_BRACE;
        at = skipColon(text, skipString(text, at));
        continue;
      }
      at++;
    } else if (code === OPEN_BRACKET) {
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) !== CLOSE_BRACKET) {
        enclosing.push(closing);
        closing = CLOSE_BRACKET;
        continue;
      }
      at++;
    } else at = skipScalar(text, at);

    for (;;) {
      if (closing === NONE) return at;
      at = skipSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === COMMA) {
        at = skipSpace(text, at + 1);
        if (closing === CLOSE_BRACE) at = skipColon(text, skipString(text, at));
        break;
      }
      if (next !== closing) throw malformed(at);
      closing = enclosing.pop()!;
      at++;
    }
  }
}

/** First offset from `start` on that is not white space; the text's length when there is none. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code > SPACE || code !== SPACE && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at++;
  }
  return at;
}

/**
 * End of the string that begins at `start`, behind its closing quote.
 *
 * @throws {JsonError} `JSON_MALFORMED` when there is no quote at `start`, or the string is not JSON.
 */
export function skipString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw malformed(start);
  let at = start + 1;
  for (let far = at + SHORT;;) {
    const code = text.charCodeAt(at);
    if (code > BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
    else if (code === BACKSLASH) at = skipEscape(text, at);
    else if (code >= SPACE) at++;
    else throw malformed(at); // a control character, or the end
    if (at < far) continue;
    const quote = text.indexOf('"', at);
    if (quote >= 0 && !SPECIAL.test(text.slice(at, quote))) return quote + 1;
    far = Infinity;
  }
}

/**
 * End of the number that begins at `start`.
 *
 * @throws {JsonError} `JSON_MALFORMED` when no number begins there.
 */
export function skipNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  at = text.charAt(at) === "0" ? at + 1 : skipDigits(text, at);
  if (text.charAt(at) === ".") at = skipDigits(text, at + 1);
  const exponent = text.charAt(at);
  if (exponent !== "e" && exponent !== "E") return at;
  const sign = text.charAt(at + 1);
  return skipDigits(text, sign === "+" || sign === "-" ? at + 2 : at + 1);
}

/** The name that a key means: `quoted` is a JSON string as it stands in the text, with its quotes. */
export function keyOf(quoted: string): string {
  return quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
}

/**
 * Where the value of a member begins whose key ends at `at`.
 *
 * @throws {JsonError} `JSON_MALFORMED` when no colon follows.
 */
export function skipColon(text: string, at: number): number {
  const colon = skipSpace(text, at);
  if (text.charCodeAt(colon) !== COLON) throw malformed(colon);
  return skipSpace(text, colon + 1);
}

/**
 * The end of `text`, when there is nothing but white space from `at` on.
 *
 * @throws {JsonError} `JSON_MALFORMED` when there is something else.
 */
export function skipEnd(text: string, at: number): number {
  const end = skipSpace(text, at);
  if (end < text.length) throw malformed(end);
  return end;
}

/** The refusal of a text that stops being JSON at `offset`. It shows nothing of the text: that may be a policy. */
export function malformed(offset: number): JsonError {
  return new JsonError("JSON_MALFORMED", `Cannot read a JSON text: it is malformed at offset ${offset}`, {
    offset,
  });
}

function skipEscape(text: string, start: number): number {
  const letter = text.charAt(start + 1);
  if (letter === "u") {
    for (let at = start + 2; at < start + 6; at++) if (!isHexDigit(text.charCodeAt(at))) throw malformed(at);
    return start + 6;
  }
  if (letter === "" || !'"\\/bfnrt'.includes(letter)) throw malformed(start + 1);
  return start + 2;
}

function skipScalar(text: string, start: number): number {
  const first = text.charAt(start);
  const word = first === "t" ? "true" : first === "f" ? "false" : first === "n" ? "null" : undefined;
  if (word === undefined) return skipNumber(text, start);
  for (let i = 1; i < word.length; i++) if (text[start + i] !== word[i]) throw malformed(start + i);
  return start + word.length;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  if (at === start) throw malformed(at);
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || code >= 0x41 && code <= 0x46 || code >= 0x61 && code <= 0x66;
}
