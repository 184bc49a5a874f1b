/**
 * The line on which a field of a configuration file stands, by its path.
 *
 * Where fields stand is found in `toml_lines.ts` and `value_lines.ts`.
 *
 * @module
 */

import { plainJsonText } from "./json_comments.ts";
import type { LayerText } from "./source.ts";
import { scanToml } from "./toml_lines.ts";
import { scanValue } from "./value_lines.ts";
import { JSON_SYNTAX, skipBlank } from "./value_tokens.ts";

/** The lines of a text. */
export interface LineIndex {
  /**
   * The line, from 1, of the field at `path`, else of the nearest table around it that the text names; `null` when it
   * names none. An element of an array has its index for a step. Of two fields with one name the last counts.
   */
  lineOf(path: readonly string[]): number | null;
}

/** Looks through a text once. Never throws; a text that no parser accepts gives some lines. */
export function indexLines({ text, format }: LayerText): LineIndex {
  const own = new Map<string, number>();
  const implied = new Map<string, number>();
  const lineAt = lineCounter(text);
  const note = (path: readonly string[], offset: number): void => {
    own.set(JSON.stringify(path), lineAt(offset));
  };
  if (format === "toml") {
    scanToml(text, {
      note,
      noteImplied: (path, offset) => {
        const name = JSON.stringify(path);
        if (!implied.has(name)) implied.set(name, lineAt(offset));
      },
    });
  } else {
    const plain = plainJsonText(text.replace(/^\ufeff/, " "));
    scanValue(
      { text: plain, syntax: JSON_SYNTAX, note },
      { start: skipBlank(plain, 0, JSON_SYNTAX), path: [] },
    );
  }
  return {
    lineOf: (path) => {
      for (let length = path.length; length > 0; length--) {
        const name = JSON.stringify(path.slice(0, length));
        const line = own.get(name) ?? implied.get(name);
        if (line !== undefined) return line;
      }
      return null;
    },
  };
}

/** The line of one field: see {@linkcode LineIndex.lineOf}. */
export function lineOf(
  text: string,
  path: readonly string[],
  { format }: Pick<LayerText, "format">,
): number | null {
  return indexLines({ text, format }).lineOf(path);
}

/** Counts lines for offsets that grow, mostly. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let seen = 0;
  return (offset) => {
    if (offset < seen) [line, seen] = [1, 0];
    for (let end = text.indexOf("\n", seen); end !== -1 && end < offset; end = text.indexOf("\n", seen)) {
      line++;
      seen = end + 1;
    }
    return line;
  };
}
