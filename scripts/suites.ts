/**
 * Which tests run where, and which of them run side by side. `scripts/ok.ts` and `scripts/test_jsr.ts` run them on
 * Deno, `scripts/test_node.ts` on Node.
 *
 * @module
 */

import { resolveRelative, scanImports } from "./gates/imports.ts";
import { exists, listFiles, readText } from "./gates/tree.ts";

/** One run of `deno test`. */
export interface DenoSuite {
  /** What the report calls it. */
  readonly name: string;
  /** Files and folders, relative to the root. */
  readonly paths: readonly string[];
  /** Flags of `deno test`. Without a permission flag there is no permission. */
  readonly flags: readonly string[];
  /** Most files that one process is given; absent: all. */
  readonly filesAtOnce?: number;
}

const EVERYTHING: readonly string[] = ["-A"];

/** The ordinary suites, without network. */
export const ORDINARY_SUITES: readonly DenoSuite[] = [
  {
    name: "tests on Deno",
    paths: ["tests/adapters", "tests/core", "tests/scripts"],
    flags: EVERYTHING,
    filesAtOnce: 16,
  },
  {
    name: "tests of core without permission",
    paths: ["tests/core"],
    flags: ["--no-prompt"],
    filesAtOnce: 32,
  },
  { name: "examples", paths: ["mod.ts", "core", "adapters", "README.md"], flags: [...EVERYTHING, "--doc"] },
];

/** The suites that drive real components. */
export const REAL_SUITE: DenoSuite = {
  name: "tests with real components",
  paths: ["tests/real"],
  flags: EVERYTHING,
  filesAtOnce: 4,
};

/**
 * Tests that run while nothing else does: they measure memory, descriptors, processes or time, and a busy machine
 * would have a part in what they find.
 */
export const ALONE: readonly string[] = [
  "tests/real/faults/clock_test.ts",
  "tests/real/faults/process_test.ts",
  "tests/real/faults/system_test.ts",
  "tests/real/memory_test.ts",
];

/** Folders and files whose tests are also bundled and run on Node. */
const NODE_PATHS: readonly string[] = [
  "tests/core",
  "tests/adapters/catalog",
  "tests/adapters/configuration",
  "tests/adapters/follow_test.ts",
  "tests/adapters/http",
  "tests/adapters/mcp",
  "tests/adapters/node",
  "tests/adapters/sandbox",
  "tests/adapters/unless_aborted_test.ts",
];

/** The test bed's identity provider, and the first Node that its package runs on. */
const TEST_BED = { folder: "tests/fixtures/enterprise/", since: 22 } as const;

/** The test files of the suites, and of nothing else: fixtures are named otherwise. */
const TEST_FILE = /_test\.tsx?$/;

/** The test files that run on Node `major`: those based on the test bed only where that does. */
export function nodeTestFiles(root: string, major: string): string[] {
  const files = listFiles(root, NODE_PATHS).filter((path) => TEST_FILE.test(path));
  if (Number(major) >= TEST_BED.since) return files;
  return files.filter((path) => !importsFrom(root, path).some((other) => other.startsWith(TEST_BED.folder)));
}

/** Every file of the repository that `path` needs at run time, itself included. */
function importsFrom(root: string, path: string): readonly string[] {
  const found = new Set([path]);
  // a set that grows is walked to its new end
  for (const file of found) {
    for (const { specifier, typeOnly } of scanImports(readText(root, file))) {
      const target = typeOnly ? null : resolveRelative(file, specifier);
      if (target !== null) found.add(target);
    }
  }
  return [...found];
}

/** The parts of a suite: those that may run side by side, and those that run alone. */
export function splitSuite(
  root: string,
  suite: DenoSuite,
): { readonly together: readonly DenoSuite[]; readonly alone: readonly DenoSuite[] } {
  const { filesAtOnce } = suite;
  if (filesAtOnce === undefined) return { together: [suite], alone: [] };
  const { together, alone } = splitFiles(suite.paths.flatMap((path) => testFilesIn(root, path)), filesAtOnce);
  const part = (paths: readonly string[]): DenoSuite => ({ ...suite, paths });
  return { together: together.map(part), alone: alone.map(part) };
}

function testFilesIn(root: string, path: string): string[] {
  return listFiles(root, [path]).filter((file) => TEST_FILE.test(file));
}

/** Test files in the groups that a process is given. */
export function splitFiles(
  files: readonly string[],
  most: number,
): { readonly together: readonly (readonly string[])[]; readonly alone: readonly (readonly string[])[] } {
  const alone = files.filter((path) => ALONE.includes(path));
  const others = files.filter((path) => !ALONE.includes(path));
  const groups = Array.from(
    { length: Math.ceil(others.length / most) },
    (_, index) => others.slice(index * most, (index + 1) * most),
  );
  return { together: groups, alone: alone.length > 0 ? [alone] : [] };
}

/** Arguments of `deno` for a suite; folders that are not there are left out. */
export function denoTestArgs(root: string, suite: DenoSuite): string[] {
  const paths = suite.paths.filter((path) => exists(root, path));
  return ["test", "--quiet", ...suite.flags, ...paths];
}

/** What every runner tells the tests about their surroundings. */
export function testEnvironment(root: string): Record<string, string> {
  return { CODEX_MCP_REPOSITORY: root };
}
