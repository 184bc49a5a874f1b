/**
 * Finds the places of the tables and keys of a TOML text (TOML 1.0), for messages about it.
 *
 * Values are `value_lines.ts`'s concern, lines `line_index.ts`'s.
 *
 * @module
 */

import { noted, type NotePlace, scanValue } from "./value_lines.ts";
import { lineEnd, readKey, skipBlank, skipSpace, TOML_SYNTAX } from "./value_tokens.ts";

/** Longest header that is looked at, in steps. */
const MAX_STEPS = 16;

/** Where places go. */
export interface TomlNotes {
  /** A key, or a table under its own header. */
  readonly note: NotePlace;
  /** A table that a longer header or a dotted key merely passes through. */
  readonly noteImplied: NotePlace;
}

/** Notes where everything in `text` stands. An element of an array has its index for a step, from `"0"`. */
export function scanToml(text: string, { note, noteImplied }: TomlNotes): void {
  const counts = new Map<string, number>();
  let table: readonly string[] = [];
  let at = skipBlank(text, 0, TOML_SYNTAX);
  while (at < text.length) {
    const start = at;
    if (text[at] === "[") {
      table = readHeader(at) ?? table;
    } else {
      const key = readKey(text, at, TOML_SYNTAX);
      const assign = skipSpace(text, key.end);
      if (key.steps !== null && text[assign] === "=") {
        noted(table, { steps: key.steps.slice(0, -1), at, note: noteImplied });
        const path = [...table, ...key.steps];
        note(path, at);
        const value = skipSpace(text, assign + 1);
        at = scanValue({ text, syntax: TOML_SYNTAX, note }, { start: value, path });
      }
    }
    at = skipBlank(text, Math.max(lineEnd(text, at), start + 1), TOML_SYNTAX);
  }

  /** Notes the table of the header at `offset`; its path, or `null` when it is no header. */
  function readHeader(offset: number): readonly string[] | null {
    const list = text[offset + 1] === "[";
    const key = readKey(text, skipSpace(text, offset + (list ? 2 : 1)), TOML_SYNTAX);
    if (key.steps === null || key.steps.length > MAX_STEPS) return null;
    let path: readonly string[] = [];
    for (const [index, step] of key.steps.entries()) {
      path = [...path, step];
      const last = index === key.steps.length - 1;
      const name = JSON.stringify(path);
      const count = counts.get(name);
      if (last && list) {
        counts.set(name, (count ?? 0) + 1);
        if (count === undefined) note(path, offset);
        path = [...path, String(count ?? 0)];
        note(path, offset);
      } else {
        (last ? note : noteImplied)(path, offset);
        // a header below an array of tables means its last one
        if (count !== undefined) path = [...path, String(count - 1)];
      }
    }
    return path;
  }
}
