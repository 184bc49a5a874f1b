/**
 * A pattern of a schema (ECMA-262, `u`) in the syntax of RE2, which matches in linear time, and how large its program
 * gets. What the two read differently is written out; what cannot be told is no pattern that is checked.
 *
 * JSON Schema 2020-12 (core), 6.4, regular expressions.
 *
 * @module
 */

/** A pattern for RE2. */
export interface TranslatedPattern {
  /** Its source. */
  readonly source: string;
  /** About how many instructions its program has. */
  readonly size: number;
}

/** Characters that a pattern may have. */
const MAX_LENGTH = 1_000;

/** Instructions that a program may have. */
const MAX_SIZE = 1_000;

const SPACES = "\\t\\n\\v\\f\\r \\x{A0}\\x{FEFF}\\p{Z}";
const LINE_ENDS = "\\n\\r\\x{2028}\\x{2029}";
const ANYTHING = "(?s:.)";

/** What stands for itself, whole. */
const PHRASES: readonly (readonly [string, string])[] = [
  ["[\\s\\S]", ANYTHING],
  ["[\\S\\s]", ANYTHING],
  ["[^]", ANYTHING],
];

const TOKEN =
  /\\u\{[0-9a-fA-F]+\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\x[0-9a-fA-F]{2}|\\[^]|\(\?<[A-Za-z_][A-Za-z0-9_]*>|\(\?:|\{\d+(?:,\d*)?\}|[^]/gu;

/** Translates a pattern; `null`: it is none that is checked. */
export function translatePattern(pattern: string): TranslatedPattern | null {
  if (pattern.length > MAX_LENGTH || !isPattern(pattern)) return null;
  const groups: number[] = []; // what stands before each open group
  let source = "";
  let size = 0;
  let last = 0; // the size of what a counter would repeat
  let inClass = false;
  const add = (text: string, weight: number): void => {
    source += text;
    last = weight;
    size += weight;
  };
  for (let at = 0; at < pattern.length;) {
    const phrase = inClass ? undefined : PHRASES.find(([from]) => pattern.startsWith(from, at));
    TOKEN.lastIndex = at;
    const token = phrase?.[0] ?? TOKEN.exec(pattern)?.[0];
    if (token === undefined) return null;
    at += token.length;
    if (phrase !== undefined) add(phrase[1], 1);
    else if (inClass) {
      const text = inClassText(token);
      if (text === null) return null;
      source += text;
      if (token === "]") {
        inClass = false;
        add("", 4);
      }
    } else if (token === "[") {
      if (pattern[at] === "]") return null;
      inClass = true;
      source += token;
    } else if (token.startsWith("(")) {
      if (token === "(" && pattern[at] === "?") return null; // looks around, or changes what letters mean
      groups.push(size);
      source += token;
      size += 2;
    } else if (token === ")") {
      source += token;
      last = size - (groups.pop() ?? 0);
    } else if (/^\{\d/.test(token)) {
      const copies = Math.max(1, ...token.slice(1, -1).split(",").map(Number)) +
        (token.endsWith(",}") ? 1 : 0);
      source += token;
      size += last * (copies - 1);
      last *= copies;
    } else {
      const text = outsideText(token);
      if (text === null) return null;
      add(text, token.startsWith("\\p") || token.startsWith("\\P") ? 4 : 1);
    }
    if (size > MAX_SIZE) return null;
  }
  return { source, size };
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false; // only that is asked here
  }
}

function outsideText(token: string): string | null {
  if (token === ".") return `[^${LINE_ENDS}]`;
  if (token === "\\s") return `[${SPACES}]`;
  if (token === "\\S") return `[^${SPACES}]`;
  if (/^\\[1-9k]/.test(token)) return null; // refers back
  return escapeText(token);
}

function inClassText(token: string): string | null {
  if (token === "[") return "\\[";
  if (token === "\\s") return SPACES;
  if (token === "\\S") return null; // what is left out of a set cannot be put into another
  if (token === "\\b") return "\\x{8}";
  if (token.startsWith("(") && token.length > 1) return token; // its characters, as in RE2
  return escapeText(token);
}

function escapeText(token: string): string | null {
  const pair = /^\\u([0-9a-fA-F]{4})\\u([0-9a-fA-F]{4})$/.exec(token);
  if (pair !== null) {
    const code = String.fromCharCode(parseInt(pair[1] ?? "", 16), parseInt(pair[2] ?? "", 16)).codePointAt(0);
    return `\\x{${(code ?? 0).toString(16)}}`;
  }
  const unicode = /^\\u\{?([0-9a-fA-F]+)\}?$/.exec(token);
  if (unicode !== null) return `\\x{${unicode[1]}}`;
  const control = /^\\c([a-zA-Z])$/.exec(token);
  if (control !== null) return `\\x{${((control[1] ?? "").charCodeAt(0) % 32).toString(16)}}`;
  if (token === "\\0") return "\\x{0}";
  if (token === "\\/") return "/";
  return token;
}
