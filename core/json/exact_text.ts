/**
 * Exactness of a JSON text: does the value that it means survive `JSON.parse` and `JSON.stringify`?
 *
 * A text that does can be sent as a parsed value; one that does not has to be sent as it is. What can be told of a
 * parsed value alone is in `exact.ts`, which refuses more: it cannot see where a large integer came from.
 *
 * @module
 */

import { skipEnd, skipSpace, skipString, skipValue } from "./skip.ts";

/**
 * Tells whether `JSON.stringify(JSON.parse(text))` is the same JSON value as `text`: no number changes its
 * mathematical value, no object names a key twice, and there is no negative zero.
 *
 * How things are written is free: `1.0` for `1`, escapes, white space, the order of members (JavaScript moves
 * integer-like keys to the front). A negative zero is written as `0`, which is the same number; yet a reader with
 * floating-point numbers of its own tells them apart, and so it counts as lost, as in `exact.ts`. Does not
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
  const start = skipSpace(text, 0);
  skipEnd(text, skipValue(text, start));
  const open: (Set<string> | null)[] = []; // the keys of each open object; null for an array
  for (let at = start; at < text.length;) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = skipString(text, at);
      const keys = open.at(-1);
      const next = keys ? skipSpace(text, end) : end;
      if (keys && text[next] === ":") {
        const written = text.slice(at + 1, end - 1);
        const key: string = written.includes("\\") ? JSON.parse(text.slice(at, end)) : written;
        if (keys.size === keys.add(key).size) return false;
      }
      at = next;
    } else if (character === "-" || isDigit(character)) {
      const end = numberEnd(text, at);
      if (!isExactNumber(text.slice(at, end))) return false;
      at = end;
    } else {
      if (character === "{") open.push(new Set());
      else if (character === "[") open.push(null);
      else if (character === "}" || character === "]") open.pop();
      at++; // punctuation, white space, a letter of true, false or null
    }
  }
  return true;
}

/** End of a number in a text that is known to be JSON. */
function numberEnd(text: string, start: number): number {
  let at = start + 1;
  while (isDigit(text.charAt(at)) || "+-.eE".includes(text[at] ?? " ")) at++;
  return at;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function isExactNumber(token: string): boolean {
  const held = Number(token);
  const written = String(held);
  if (written === token) return true;
  if (!Number.isFinite(held)) return false;
  if (held === 0) return !token.startsWith("-") && significand(token).digits === "";
  const a = significand(token);
  const b = significand(written);
  return a.digits === b.digits && a.point === b.point;
}

/** A number without its sign as `0.<digits> * 10^<point>`, the digits without zeros at either end. */
interface Significand {
  readonly digits: string;
  readonly point: number;
}

/** Of a number that JavaScript holds as something finite, so that `point` is a safe integer unless it is zero. */
function significand(token: string): Significand {
  const [mantissa = "", exponent = "0"] = token.replace("-", "").split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === "0") first++;
  let end = digits.length;
  while (end > first && digits[end - 1] === "0") end--;
  return { digits: digits.slice(first, end), point: whole.length - first + Number(exponent) };
}
