/**
 * Which tests run where; `suite_parts.ts` says which of them run side by side. `scripts/ok.ts` and
 * `scripts/suites/test_jsr.ts` run them on Deno, `scripts/suites/test_node.ts` on Node, `scripts/suites/test_bun.ts` on
 * Bun.
 *
 * @module
 */

import { resolveRelative, scanImports } from "../gates/imports.ts";
import { exists, listFiles, readText } from "../gates/tree.ts";
import { type Parts, splitFiles } from "./suite_parts.ts";

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
    paths: ["tests/adapters", "tests/scripts"],
    flags: EVERYTHING,
    filesAtOnce: 16,
  },
  {
    name: "tests of core without permission",
    paths: ["tests/core"],
    flags: ["--no-prompt"],
    filesAtOnce: 32,
  },
  {
    name: "examples",
    paths: ["mod.ts", "core", "adapters", "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "examples"],
    flags: [...EVERYTHING, "--doc"],
  },
];

/** The suites that drive real components. */
export const REAL_SUITE: DenoSuite = {
  name: "tests with real components",
  paths: ["tests/real"],
  flags: EVERYTHING,
  filesAtOnce: 4,
};

/** Folders and files whose tests are also bundled and run on Node. */
const NODE_PATHS: readonly string[] = [
  "tests/core",
  "tests/adapters/catalog",
  "tests/adapters/cli/terminal/console_test.ts",
  "tests/adapters/cli/enterprise/typed_input_test.ts",
  "tests/adapters/cli/terminal/moving_line_test.ts",
  "tests/adapters/cli/program/next_command_test.ts",
  "tests/adapters/configuration",
  "tests/adapters/disk_test.ts",
  "tests/adapters/find_program_test.ts",
  "tests/adapters/spawn_error_test.ts",
  "tests/adapters/async",
  "tests/adapters/http",
  "tests/adapters/mcp",
  "tests/adapters/node",
  "tests/adapters/redis",
  "tests/adapters/sandbox",
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

/** The test files that run on Bun. */
export function bunTestFiles(root: string): string[] {
  return listFiles(root, ["tests/core"]).filter((path) => TEST_FILE.test(path));
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

/** The parts of a suite; without a bound there is one. */
export function splitSuite(root: string, { paths, filesAtOnce }: DenoSuite): Parts {
  if (filesAtOnce === undefined) return { together: [paths], aside: [], alone: [] };
  return splitFiles(listFiles(root, paths).filter((file) => TEST_FILE.test(file)), filesAtOnce);
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
