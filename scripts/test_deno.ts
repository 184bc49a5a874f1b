/**
 * Runs one suite with `deno test`, in as many processes as `suites.ts` says.
 *
 * @module
 */

import { runDeno } from "./command.ts";
import { exists } from "./gates/tree.ts";
import { Lanes } from "./lanes.ts";
import { failedRun, joinRuns, repeatFailed, type SuiteRun } from "./suite_run.ts";
import { type DenoSuite, denoTestArgs, splitSuite, testEnvironment } from "./suites.ts";
import { readCounts } from "./test_counts.ts";

/** How a suite is run. */
export interface DenoRunOptions {
  /** Further flags of `deno test`, such as another configuration. */
  readonly extra?: readonly string[];
  /** Where its processes wait for their turn; absent: one after the other. */
  readonly lanes?: Lanes;
}

/** Runs `suite` of the repository at `root`. Files that failed are run once more, see `suite_run.ts`. */
export async function testOnDeno(
  root: string,
  suite: DenoSuite,
  { extra = [], lanes = new Lanes(1) }: DenoRunOptions = {},
): Promise<SuiteRun> {
  if (!suite.paths.some((path) => exists(root, path))) {
    return failedRun(suite.name, `none of ${suite.paths.join(", ")} is there`);
  }
  const { together, alone } = splitSuite(root, suite);
  const runPart = (part: DenoSuite): Promise<SuiteRun> => runSuite(root, part, extra);
  const runs = await Promise.all([
    ...together.map((part) => lanes.run(() => runPart(part))),
    ...alone.map((part) => lanes.alone(() => runPart(part))),
  ]);
  if (runs.length === 0) return failedRun(suite.name, `there is no test in ${suite.paths.join(", ")}`);
  return await repeatFailed(
    joinRuns(suite.name, runs),
    (files) => lanes.alone(() => runPart({ ...suite, paths: files })),
  );
}

async function runSuite(root: string, suite: DenoSuite, extra: readonly string[]): Promise<SuiteRun> {
  const [command = "test", ...rest] = denoTestArgs(root, suite);
  const { output, code, seconds } = await runDeno([command, ...extra, ...rest], {
    directory: root,
    environment: testEnvironment(root),
  });
  const counts = readCounts(output, code);
  const why = counts.failed > 0 ? failedPart(output) : "";
  return { name: suite.name, counts, seconds, why, failedFiles: failedFiles(output) };
}

/**
 * The test files in which something failed. A test may be registered by a file that it shares with others, which is
 * the place that `deno test` names; so what counts is under which test file it was run.
 */
export function failedFiles(output: string): readonly string[] {
  const files = new Set<string>();
  let file = "";
  for (const line of output.split("\n")) {
    file = /^running \d+ tests? from \.\/(\S+)$/.exec(line)?.[1] ?? file;
    if (file !== "" && / \.\.\. FAILED(?: \(.*\))?$/.test(line)) files.add(file);
    const unloaded = /^\.\/(\S+) \(uncaught error\)$/.exec(line)?.[1];
    if (unloaded !== undefined) files.add(unloaded);
  }
  return [...files];
}

/** The part of a report that says what failed. */
export function failedPart(output: string): string {
  const errors = output.search(/^ ?ERRORS\s*$/m);
  const from = errors >= 0 ? errors : output.search(/^error(?::| |\[)|^TS\d+ \[ERROR\]/m);
  const part = from < 0 ? output.split("\n").slice(-60).join("\n") : output.slice(from);
  return part.split("\n").slice(0, 300).join("\n");
}
