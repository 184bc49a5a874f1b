/**
 * Where the smallest parts of TOML and JSON end: keys, strings, numbers, comments. Nothing here refuses anything: a
 * text that a parser has accepted is only looked through again.
 *
 * Which places matter is decided in `value_lines.ts` and `toml_lines.ts`.
 *
 * @module
 */

/** How a format writes values. */
export interface ValueSyntax {
  /** What stands between a key and its value. */
  readonly assign: "=" | ":";
  /** Whether it is TOML: `#` begins a comment, strings may stand in `'` and over several lines, keys have dots. */
  readonly toml: boolean;
}

/** The syntax of TOML. */
export const TOML_SYNTAX: ValueSyntax = { assign: "=", toml: true };

/** The syntax of JSON. */
export const JSON_SYNTAX: ValueSyntax = { assign: ":", toml: false };

/** A key, or what was read of one. */
export interface ReadKey {
  /** Its parts, decoded; `null` when it is no key. */
  readonly steps: readonly string[] | null;
  /** The offset behind what was read. */
  readonly end: number;
}

/** The offset of what follows blanks, line ends and, in TOML, comments. */
export function skipBlank(text: string, start: number, { toml }: ValueSyntax): number {
  let at = start;
  for (;;) {
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
    if (!toml || text[at] !== "#") return at;
    at = lineEnd(text, at);
  }
}

/** The offset of what follows spaces and tabs. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** The offset of the next line end, or of the end of the text. */
export function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

/** The offset behind the string, number or word at `start`; `start` itself when a comma or a bracket stands there. */
export function scalarEnd(text: string, start: number, syntax: ValueSyntax): number {
  const quoted = stringEnd(text, start, syntax);
  if (quoted !== null) return quoted;
  if (",]}".includes(text.charAt(start))) return start;
  let at = start + 1;
  while (at < text.length && !(syntax.toml ? ",]}\n\r#" : ",]}\n\r").includes(text.charAt(at))) at++;
  return at;
}

/** Reads the key at `start`, with its dots in TOML. */
export function readKey(text: string, start: number, syntax: ValueSyntax): ReadKey {
  const steps: string[] = [];
  for (let at = start;;) {
    const part = readPart(text, at, syntax);
    if (part === null) return { steps: null, end: at };
    steps.push(part.step);
    if (!syntax.toml) return { steps, end: part.end };
    const dot = skipSpace(text, part.end);
    if (text[dot] !== ".") return { steps, end: part.end };
    at = skipSpace(text, dot + 1);
  }
}

function readPart(
  text: string,
  start: number,
  syntax: ValueSyntax,
): { readonly step: string; readonly end: number } | null {
  const end = stringEnd(text, start, syntax);
  if (end !== null) return { step: decode(text.slice(start + 1, end - 1), text[start] === '"'), end };
  let bare = start;
  while (bare < text.length && /[\w-]/.test(text.charAt(bare))) bare++;
  return syntax.toml && bare > start ? { step: text.slice(start, bare), end: bare } : null;
}

/**
 * The offset behind the string at `start`; `null` when none begins there. One that is not closed ends with its line.
 */
function stringEnd(text: string, start: number, { toml }: ValueSyntax): number | null {
  const quote = text[start];
  if (quote !== '"' && !(toml && quote === "'")) return null;
  const long = toml && text.startsWith(quote.repeat(3), start);
  let at = start + (long ? 3 : 1);
  while (at < text.length) {
    if (quote === '"' && text[at] === "\\") at += 2;
    else if (!long && (text[at] === quote || text[at] === "\n")) return text[at] === quote ? at + 1 : at;
    else if (!long || !text.startsWith(quote.repeat(3), at)) at++;
    else {
      // up to two more quotes may stand right before the three that close
      const more = text[at + 3] !== quote ? 3 : text[at + 4] !== quote ? 4 : 5;
      return at + more;
    }
  }
  return text.length;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code >= 0x09 && code <= 0x0d;
}

const NAMED: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" };

function decode(inside: string, escaped: boolean): string {
  if (!escaped || !inside.includes("\\")) return inside;
  return inside.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, four?: string, eight?: string, two?: string, other?: string) => {
      const point = parseInt(four ?? eight ?? two ?? "", 16);
      if (Number.isNaN(point)) return NAMED[other ?? ""] ?? other ?? "";
      return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
    },
  );
}
