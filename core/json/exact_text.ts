/**
 * Exactness of a JSON text: does the value that it means survive `JSON.parse` and `JSON.stringify`?
 *
 * A text that does can be sent as a parsed value; one that does not has to be sent as it is. What can be told of a
 * parsed value alone is in `equal.ts`, which refuses more: it cannot see where a large integer came from.
 *
 * @module
 */

import { decimal } from "./decimal.ts";
import { keyOf, skipEnd, skipNumber, skipSpace, skipString, skipValue } from "./skip.ts";

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Tells whether `JSON.stringify(JSON.parse(text))` is the same JSON value as `text`: no number changes its
 * mathematical value, no object names a key twice, and there is no negative zero.
 *
 * How things are written is free: `1.0` for `1`, escapes, white space, the order of members (JavaScript moves
 * integer-like keys to the front). A negative zero is written as `0`, which is the same number; yet a reader with
 * floating-point numbers of its own tells them apart, and so it counts as lost, as in `equal.ts`. Does not
 * recurse, and takes time in proportion to the length of the text.
 *
 * @throws {JsonError} `JSON_MALFORMED` when `text` is not JSON.
 *
 * @example
 * ```ts
 * import { isExactText } from "./exact_text.ts";
 *
 * console.log(isExactText('{"limit": 1.50}')); // true
 * console.log(isExactText('{"limit": 9007199254740993}')); // false: it would become 9007199254740992
 * ```
 */
export function isExactText(text: string): boolean {
  skipEnd(text, skipValue(text, skipSpace(text, 0)));
  const open: (Set<string> | null)[] = []; // the keys of each open object; null for an array
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = skipString(text, start);
      const keys = open.at(-1);
      if (!keys) continue;
      const end = at;
      at = skipSpace(text, end);
      if (text.charCodeAt(at) !== COLON) continue;
      const { size } = keys;
      if (keys.add(keyOf(text.slice(start, end))).size === size) return false;
    } else if (code === MINUS || code >= ZERO && code <= NINE) {
      const start = at;
      at = skipNumber(text, start);
      if (!isExactNumber(text.slice(start, at))) return false;
    } else {
      if (code === OPEN_BRACE) open.push(new Set());
      else if (code === OPEN_BRACKET) open.push(null);
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop();
      at++; // punctuation, white space, a letter of true, false or null
    }
  }
  return true;
}

function isExactNumber(token: string): boolean {
  const held = Number(token);
  const written = String(held);
  return written === token || !Object.is(held, -0) && decimal(token) === decimal(written);
}
