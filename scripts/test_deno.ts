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
  const first = await runSuite(root, suite, extra);
  const files = failedFiles(first.output);
  if (first.counts.failed === 0 || files.length === 0 || files.length > MOST_REPEATED) return first;
  return afterRepeat(first, await runSuite(root, { ...suite, paths: files }, extra), files);
}

/**
 * Most files that are run again by themselves. The tests start hundreds of processes and have deadlines, and a machine
 * that is busy for a moment misses one now and then; what is broken fails again.
 */
const MOST_REPEATED = 3;

async function runSuite(root: string, suite: DenoSuite, extra: readonly string[]): Promise<SuiteRun> {
  const [command = "test", ...rest] = denoTestArgs(root, suite);
  const result = await runDeno([command, ...extra, ...rest], {
    directory: root,
    environment: testEnvironment(root),
  });
  return { name: suite.name, counts: readCounts(result.output, result.code), output: result.output };
}

/** Files in which a test failed, as `deno test` lists them at its end. */
export function failedFiles(output: string): readonly string[] {
  const listed = output.slice(Math.max(output.lastIndexOf("\n FAILURES"), 0));
  return [...new Set([...listed.matchAll(/ => (\.\/\S+\.ts):\d+:\d+$/gm)].map(([, file]) => file!))];
}

/** What a run comes to when its failed files were run again: the first run, unless all of them passed then. */
export function afterRepeat(first: SuiteRun, second: SuiteRun, files: readonly string[]): SuiteRun {
  if (second.counts.failed > 0) return first;
  const { passed, failed } = first.counts;
  const name = `${first.name} (${failed} of them only when run again: ${files.join(", ")})`;
  return { name, counts: { passed: passed + failed, failed: 0 }, output: first.output };
}

/** The part of a report that says what failed. */
export function failedPart(output: string): string {
  const from = output.search(/^ ?ERRORS\s*$|^error(?::| |\[)|^TS\d+ \[ERROR\]/m);
  const part = from < 0 ? output.split("\n").slice(-60).join("\n") : output.slice(from);
  return part.split("\n").slice(0, 300).join("\n");
}
