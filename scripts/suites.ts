/**
 * Which tests run where. `scripts/ok.ts` and `scripts/test_jsr.ts` run them on Deno, `scripts/test_node.ts` on Node.
 *
 * @module
 */

import { exists, listFiles } from "./gates/tree.ts";

/** One run of `deno test`. */
export interface DenoSuite {
  /** What the report calls it. */
  readonly name: string;
  /** Files and folders, relative to the root. */
  readonly paths: readonly string[];
  /** Flags of `deno test`. Without a permission flag there is no permission. */
  readonly flags: readonly string[];
}

const EVERYTHING: readonly string[] = ["-A"];

/** The ordinary suites, without network. */
export const ORDINARY_SUITES: readonly DenoSuite[] = [
  { name: "tests on Deno", paths: ["tests/core", "tests/adapters", "tests/scripts"], flags: EVERYTHING },
  { name: "tests of core without permission", paths: ["tests/core"], flags: ["--no-prompt"] },
  { name: "examples", paths: ["mod.ts", "core", "adapters", "README.md"], flags: [...EVERYTHING, "--doc"] },
];

/** The suites that drive real components. */
export const REAL_SUITE: DenoSuite = {
  name: "tests with real components",
  paths: ["tests/real"],
  flags: EVERYTHING,
};

/** Folders whose tests are also bundled and run on Node. */
const NODE_FOLDERS: readonly string[] = [
  "tests/core",
  "tests/adapters/node",
  "tests/adapters/sandbox",
  "tests/adapters/mcp",
];

/** The test files that run on Node. */
export function nodeTestFiles(root: string): string[] {
  return listFiles(root, NODE_FOLDERS).filter((path) => path.endsWith("_test.ts"));
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
