/**
 * Finds what a TypeScript file imports and re-exports, by its text.
 *
 * @module
 */

import { blank } from "./source_text.ts";
import { lineAt } from "./tree.ts";

/** One import or re-export. */
export interface ImportStatement {
  /** What stands in the quotes. */
  readonly specifier: string;
  /** Whether it is gone at run time. */
  readonly typeOnly: boolean;
  /** Whether it is an `import()`. */
  readonly dynamic: boolean;
  /** Line, from 1. */
  readonly line: number;
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:([^"';]*?)\s*from\s*)?["']([^"'\n]+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"'\n]+)["']/g;

/** Every import of a text, static ones first. */
export function scanImports(text: string): ImportStatement[] {
  const code = blank(text, { strings: false });
  const outside = blank(text, { strings: true });
  const isCode = (offset: number): boolean => /\S/.test(outside.slice(offset, offset + 6));
  const statics = [...code.matchAll(STATEMENT)].map((match) => ({
    specifier: match[3] ?? "",
    typeOnly: match[1] !== undefined || onlyTypes(match[2]),
    dynamic: false,
    at: match.index + match[0].search(/\S/),
  }));
  const dynamics = [...code.matchAll(DYNAMIC)].map((match) => ({
    specifier: match[1] ?? "",
    typeOnly: false,
    dynamic: true,
    at: match.index,
  }));
  return [...statics, ...dynamics].filter((found) => isCode(found.at)).map(({ at, ...rest }) => ({
    ...rest,
    line: lineAt(code, at),
  }));
}

/** `{ type A, type B }` imports nothing at run time. */
function onlyTypes(clause: string | undefined): boolean {
  const names = /^\s*\{([\s\S]*)\}\s*$/.exec(clause ?? "")?.[1];
  if (names === undefined) return false;
  const list = names.split(",").map((name) => name.trim()).filter((name) => name !== "");
  return list.length > 0 && list.every((name) => name.startsWith("type "));
}

/** Path of a relative specifier, seen from the file that holds it; `null` for any other specifier. */
export function resolveRelative(file: string, specifier: string): string | null {
  if (!specifier.startsWith("./") && !specifier.startsWith("../")) return null;
  const parts = file.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Folder of a path, empty for the root. */
export function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
