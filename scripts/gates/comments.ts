/**
 * Gate: comments of the code. A file that one names in backticks is there, seen from the folder of the comment or from
 * one above it; a line is not wider than a screen. Tables are as wide as they are.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { folderOf } from "./imports.ts";
import { exists, listFiles, readText } from "./tree.ts";

const MAX_COLUMNS = 120;
const COMMENT = /^\s*(\/\/|\/\*\*|\*)/;
const TABLE = /^\s*\* \|/;
const MENTION = /`((?:[\w.-]+\/)*\w+\.ts)`/g;

/** Checks the comments of the tree at `root`. */
export function checkComments(root: string): Finding[] {
  const files = listFiles(root, ["mod.ts", "core", "adapters", "examples", "scripts", "tests"]);
  return files.filter((path) => path.endsWith(".ts")).flatMap((path) =>
    readText(root, path).split("\n").flatMap((line, index) =>
      COMMENT.test(line) ? checkLine(root, { path, line, where: `${path}:${index + 1}` }) : []
    )
  );
}

interface CommentLine {
  readonly path: string;
  readonly line: string;
  readonly where: string;
}

function checkLine(root: string, { path, line, where }: CommentLine): Finding[] {
  const findings: Finding[] = [...line.matchAll(MENTION)]
    .map(([, name = ""]) => name)
    .filter((name) => !isFound(root, { folder: folderOf(path), name }))
    .map((name) => ({
      where,
      what: `names ${name}, which is not there`,
      fix: "correct the name or the path",
    }));
  if (line.length > MAX_COLUMNS && !TABLE.test(line)) {
    const what = `${line.length} columns, at most ${MAX_COLUMNS}`;
    findings.push({ where, what, fix: "break the line" });
  }
  return findings;
}

/** Whether the folder, or one above it, holds what is named. */
function isFound(
  root: string,
  { folder, name }: { readonly folder: string; readonly name: string },
): boolean {
  const parts = folder === "" ? [] : folder.split("/");
  return [...parts.keys(), parts.length].some((depth) =>
    exists(root, [...parts.slice(0, depth), name].join("/"))
  );
}
