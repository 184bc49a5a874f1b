/**
 * Gate: names, sizes and the mirror of sources and tests.
 *
 * A source needs a test unless it is `mod.ts` or declares types only. `core/json/value.ts` is tested by
 * `tests/core/json/value_test.ts`, or by several `tests/core/json/value_<aspect>_test.ts`.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { blank } from "./source_text.ts";
import { listFiles, readText } from "./tree.ts";

const FORBIDDEN: ReadonlySet<string> = new Set([
  "utils",
  "util",
  "helpers",
  "helper",
  "types",
  "common",
  "misc",
]);
const MAX_SOURCE_LINES = 200;
const MAX_OTHER_LINES = 300;

/** Checks the files of the tree at `root`. */
export function checkLayout(root: string): Finding[] {
  const files = listFiles(root, ["mod.ts", "core", "adapters", "examples", "scripts", "tests"]);
  const sources = files.filter((path) => /\.tsx?$/.test(path));
  return [
    ...files.flatMap(checkName),
    ...sources.flatMap((path) => checkSize(path, readText(root, path))),
    ...checkMirror(root, sources),
  ];
}

function checkName(path: string): Finding[] {
  const findings: Finding[] = [];
  const parts = path.split("/");
  const base = (parts.pop() ?? "").replace(/\.(d\.ts|[a-z0-9]+)$/, "");
  const code = /\.tsx?$/.test(path);
  for (const name of code ? [...parts, base] : parts) {
    if (
      !/^_?[a-z0-9]+(_[a-z0-9]+)*$/.test(name) && !/^[a-z0-9.-]+$/.test(name) || code && name.includes("-")
    ) {
      findings.push({ where: path, what: `"${name}" is not snake_case`, fix: "rename it" });
    }
    if (FORBIDDEN.has(name.replace(/_test$/, ""))) {
      findings.push({ where: path, what: `"${name}" says nothing`, fix: "name it after what it decides" });
    }
  }
  if (code && base === "index") {
    findings.push({ where: path, what: "is an index.ts", fix: "rename it to mod.ts" });
  }
  return findings;
}

function checkSize(path: string, text: string): Finding[] {
  const limit = /^(core|adapters)\/|^mod\.ts$/.test(path) ? MAX_SOURCE_LINES : MAX_OTHER_LINES;
  const lines = text.split("\n").length - 1;
  return lines <= limit
    ? []
    : [{ where: path, what: `${lines} lines, at most ${limit}`, fix: "split it by what it decides" }];
}

function checkMirror(root: string, files: readonly string[]): Finding[] {
  const tests = files.filter((path) =>
    /^tests\/.*_test\.tsx?$/.test(path) && !/^tests\/(real|fixtures)\//.test(path)
  );
  const sources = files.filter((path) => /^(core|adapters|scripts)\//.test(path));
  const untested = sources
    .filter((path) => /^(core|adapters)\//.test(path) && !/(^|\/)mod\.ts$/.test(path))
    .filter((path) => !isTypeOnly(readText(root, path)))
    .filter((path) => !tests.some((test) => candidates(test).includes(path)))
    .map((path) => ({
      where: path,
      what: "has no test",
      fix: `write tests/${path.replace(/\.ts$/, "_test.ts")}`,
    }));
  const orphans = tests
    .filter((test) => !candidates(test).some((path) => sources.includes(path)))
    .map((test) => ({
      where: test,
      what: `tests no file: ${candidates(test)[0]} is not there`,
      fix: "name the test after its source, or move it to tests/real/",
    }));
  const stray = files
    .filter((path) => /_test\.tsx?$/.test(path) && !path.startsWith("tests/"))
    .map((path) => ({ where: path, what: "a test outside tests/", fix: `move it to tests/${path}` }));
  return [...untested, ...orphans, ...stray];
}

/** The sources that a test may mirror: the one of its whole name, else of its first words. */
function candidates(test: string): string[] {
  const words = test.replace(/^tests\//, "").replace(/_test\.tsx?$/, "");
  const cut = words.lastIndexOf("/") + 1;
  const names = words.slice(cut).split("_");
  return names.map((_, index) =>
    `${words.slice(0, cut)}${names.slice(0, names.length - index).join("_")}.ts`
  );
}

/** Whether a text declares nothing that exists at run time. */
function isTypeOnly(text: string): boolean {
  const code = blank(text, { strings: true });
  return !/^(export\s+)?(default\s+)?(async\s+|abstract\s+)?(function|class|const|let|var|enum)\b/m.test(
    code,
  );
}
