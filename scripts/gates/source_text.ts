/**
 * Blanks what is not code in a TypeScript text, so that a gate can look for words in the rest. Offsets and lines
 * stay as they were. It is a scanner, not a parser: enough for texts that `deno fmt` has formatted.
 *
 * @module
 */

/** What to blank besides comments. */
export interface BlankOptions {
  /** Also blanks what stands inside strings, templates and regular expressions. */
  readonly strings: boolean;
}

/** The text with comments, and optionally strings, replaced by spaces. */
export function blank(text: string, options: BlankOptions): string {
  const out: string[] = [];
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  const copy = (end: number) => {
    out.push(text.slice(at, end));
    at = end;
  };
  const hide = (end: number) => {
    out.push(text.slice(at, end).replace(/[^\n]/g, " "));
    at = end;
  };
  const literal = (end: number) => options.strings ? hide(end) : copy(end);
  const template = () => {
    const end = endOfTemplate(text, at);
    literal(end);
    if (text.startsWith("${", at)) {
      templates.push(depth);
      copy(at + 2);
    } else copy(Math.min(at + 1, text.length));
  };
  while (at < text.length) {
    const char = text[at];
    if (text.startsWith("//", at)) hide(endOf(text, at, "\n"));
    else if (text.startsWith("/*", at)) hide(Math.min(endOf(text, at + 2, "*/") + 2, text.length));
    else if (char === '"' || char === "'") {
      const end = endOfQuoted(text, at + 1, char);
      copy(at + 1);
      literal(end);
      copy(Math.min(at + 1, text.length));
    } else if (char === "`") {
      copy(at + 1);
      template();
    } else if (char === "}" && templates.at(-1) === depth) {
      templates.pop();
      copy(at + 1);
      template();
    } else if (char === "/" && startsRegExp(out.join("").slice(-60))) {
      copy(at + 1);
      literal(endOfRegExp(text, at));
      copy(Math.min(at + 1, text.length));
    } else {
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      copy(at + 1);
    }
  }
  return out.join("");
}

function endOf(text: string, from: number, mark: string): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found;
}

function endOfQuoted(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote || text[at] === "\n") return at;
  }
  return text.length;
}

function endOfTemplate(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`" || text.startsWith("${", at)) return at;
  }
  return text.length;
}

function endOfRegExp(text: string, from: number): number {
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "\n") return at;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at;
  }
  return text.length;
}

/** A slash divides after a value; it opens a regular expression after an operator or a keyword. */
function startsRegExp(before: string): boolean {
  return /(^|[(,=:[!&|?{};+\-*%<>~^]|\b(return|typeof|case|in|of|void|await|yield))\s*$/.test(before);
}
