/**
 * Puts the files that documents name into their code blocks, so that what a document shows is what is checked and run:
 * a comment `<!-- path -->` above a block ties the block to the file. Run it after such a file has changed; the gate
 * `documents` fails where a block and its file differ.
 *
 * @module
 */

import { exists, lineAt, listDocuments, readText } from "../gates/tree.ts";
import { readDocument } from "./document.ts";

/** A path with a folder and an ending, relative to the root of the repository. */
const PATH = /^(?!\.)[\w.-]+(?:\/[\w.-]+)+\.\w+$/;

/** The file that a mark ties its block to; `null` when it ties it to none. */
export function tiedPath(mark: string | null): string | null {
  return mark !== null && PATH.test(mark) ? mark : null;
}

/** The code of a file as a document shows it: without the comment or the module header that opens it. */
export function shownCode(text: string): string {
  return text.replace(/^#![^\n]*\n/, "").replace(
    /^(?:\/\/[^\n]*\n|\/\*\*(?:(?!\*\/)[^])*@module\s*\*\/\n)/,
    "",
  )
    .trim();
}

/** The document with the code of each named file in its block; a block whose file `read` does not find stays. */
export function fillDocument(document: string, read: (path: string) => string | null): string {
  let filled = document;
  // from the end, so that the ranges before stay true
  for (
    const { mark, range: [begin, end], language, attributes } of readDocument(document).blocks.toReversed()
  ) {
    const path = tiedPath(mark);
    const text = path === null ? null : read(path);
    if (text === null) continue;
    const fence = /^(`{3,}|~{3,})/.exec(document.slice(begin, end))?.[0] ?? "```";
    const indent = /[^\n]*$/.exec(document.slice(0, begin))?.[0] ?? "";
    const lines = [`${fence}${[language, ...attributes].join(" ")}`, ...shownCode(text).split("\n"), fence];
    const block = lines.map((line, index) => index === 0 || line === "" ? line : indent + line).join("\n");
    filled = filled.slice(0, begin) + block + filled.slice(end);
  }
  return filled;
}

/** Fills every document of the tree at `root`, and gives back which ones changed. */
export function fillDocuments(root: string): string[] {
  return listDocuments(root).filter((path) => {
    const document = readText(root, path);
    const filled = fillDocument(document, (file) => exists(root, file) ? readText(root, file) : null);
    if (filled !== document) Deno.writeTextFileSync(`${root}/${path}`, filled);
    return filled !== document;
  });
}

/** Line of the first difference between a document and what it should be, from 1. */
export function firstDifference(document: string, filled: string): number {
  let at = 0;
  while (at < document.length && document[at] === filled[at]) at++;
  return lineAt(document, at);
}
