/**
 * JSON as other hosts let people write it: with comments, and with a comma before a closing bracket.
 *
 * @module
 */

/** `text` with blanks in the place of comments and of such commas: every line and offset stays what it is. */
export function plainJsonText(text: string): string {
  const parts: string[] = [];
  let done = 0;
  /** Offset of a comma after which only blanks and comments came. */
  let comma: number | null = null;
  const blank = (start: number, end: number): void => {
    parts.push(text.slice(done, start), text.slice(start, end).replace(/[^\n\r]/g, " "));
    done = end;
  };
  const pending: (readonly [start: number, end: number])[] = [];
  for (let at = 0; at < text.length;) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      comma = null;
    } else if (character === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) {
      const end = commentEnd(text, at);
      pending.push([at, end]);
      at = end;
    } else {
      if (character === ",") comma = at;
      else if ((character === "]" || character === "}") && comma !== null) pending.push([comma, comma + 1]);
      if (character !== "," && /\S/.test(character ?? "")) comma = null;
      at++;
    }
  }
  for (const [start, end] of pending.toSorted(([a], [b]) => a - b)) blank(start, end);
  return parts.join("") + text.slice(done);
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function commentEnd(text: string, start: number): number {
  const line = text[start + 1] === "/";
  const end = text.indexOf(line ? "\n" : "*/", start + 2);
  if (end === -1) return text.length;
  return line ? end : end + 2;
}
