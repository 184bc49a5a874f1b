/**
 * Runs one suite with `deno test`. `suites.ts` says which there are.
 *
 * @module
 */

import { runDeno } from "./command.ts";
import { exists } from "./gates/tree.ts";
import { type DenoSuite, denoTestArgs, testEnvironment } from "./suites.ts";
import { readCounts, type TestCounts } from "./test_counts.ts";

/** How a suite ended. */
export interface SuiteRun {
  /** What the report calls it. */
  readonly name: string;
  /** How many passed and failed. */
  readonly counts: TestCounts;
  /** What the runner printed. */
  readonly output: string;
}

/** Runs `suite` of the repository at `root`. `extra` are further flags, such as another configuration. */
export async function testOnDeno(
  root: string,
  suite: DenoSuite,
  { extra = [] }: { readonly extra?: readonly string[] } = {},
): Promise<SuiteRun> {
  if (!suite.paths.some((path) => exists(root, path))) {
    return {
      name: suite.name,
      counts: { passed: 0, failed: 1 },
      output: `none of ${suite.paths.join(", ")} is there`,
    };
  }
  const [command = "test", ...rest] = denoTestArgs(root, suite);
  const result = await runDeno([command, ...extra, ...rest], {
    directory: root,
    environment: testEnvironment(root),
  });
  return { name: suite.name, counts: readCounts(result.output, result.code), output: result.output };
}

/** The part of a report that says what failed. */
export function failedPart(output: string): string {
  const from = output.search(/^ ?ERRORS\s*$|^error(?::| |\[)|^TS\d+ \[ERROR\]/m);
  const part = from < 0 ? output.split("\n").slice(-60).join("\n") : output.slice(from);
  return part.split("\n").slice(0, 300).join("\n");
}
