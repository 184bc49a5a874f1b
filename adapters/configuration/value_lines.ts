/**
 * Finds the places of the parts of one value of TOML or JSON. It is for messages about a text that a parser has
 * accepted; of any other text it gives some places, in a time in proportion to its length, and no error.
 *
 * Tables and keys outside values are `toml_lines.ts`'s concern, lines `line_index.ts`'s.
 *
 * @module
 */

import { readKey, scalarEnd, skipBlank, type ValueSyntax } from "./value_tokens.ts";

/** Notes that what stands at `path` begins at an offset. */
export type NotePlace = (path: readonly string[], offset: number) => void;

/** What a scan works on. */
export interface ValueScan {
  /** The whole text. */
  readonly text: string;
  /** How it is written. */
  readonly syntax: ValueSyntax;
  /** Where the places go. */
  readonly note: NotePlace;
}

/** Steps of a path that are told apart; what lies deeper is passed over. */
const MAX_DEPTH = 16;

interface OpenContainer {
  readonly list: boolean;
  readonly path: readonly string[];
  items: number;
}

/**
 * Notes the members and elements in the value that begins at `start` and stands at `path`, which the caller has noted
 * itself; a member's place is its key. Gives the offset behind the value.
 */
export function scanValue(
  { text, syntax, note }: ValueScan,
  { start, path }: { readonly start: number; readonly path: readonly string[] },
): number {
  const open: OpenContainer[] = [];
  let at = start;
  let here = path;
  while (at < text.length) {
    if (text[at] === "[" || text[at] === "{") {
      open.push({ list: text[at] === "[", path: here, items: 0 });
      at++;
    } else {
      at = scalarEnd(text, at, syntax);
    }
    // on to the next value of the innermost container
    for (let found = false; !found;) {
      const container = open.at(-1);
      if (container === undefined) return at;
      at = skipBlank(text, at, syntax);
      if (at >= text.length) return at;
      if (text[at] === "]" || text[at] === "}") {
        open.pop();
        at++;
      } else if (text[at] === ",") {
        at++;
      } else if (container.list) {
        here = noted(container.path, { steps: [String(container.items++)], at, note });
        found = true;
      } else {
        const key = readKey(text, at, syntax);
        const end = skipBlank(text, key.end, syntax);
        if (key.steps !== null && text[end] === syntax.assign) {
          here = noted(container.path, { steps: key.steps, at, note });
          at = skipBlank(text, end + 1, syntax);
          found = true;
        } else {
          at = Math.max(at + 1, end);
        }
      }
    }
  }
  return at;
}

/** Notes every table on the way to `steps` below `path`, and what stands there; its path. */
export function noted(
  path: readonly string[],
  { steps, at, note }: { readonly steps: readonly string[]; readonly at: number; readonly note: NotePlace },
): readonly string[] {
  let here = path;
  for (const step of steps) {
    if (here.length >= MAX_DEPTH) return here;
    here = [...here, step];
    note(here, at);
  }
  return here;
}
