/**
 * Runs one suite with `deno test`, in as many processes as `suites.ts` says.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import { exists } from "../gates/tree.ts";
import { Lanes } from "./lanes.ts";
import { runParts } from "./suite_parts.ts";
import { failedRun, joinRuns, repeatFailed, type SuiteRun } from "./suite_run.ts";
import { type DenoSuite, denoTestArgs, splitSuite, testEnvironment } from "./suites.ts";
import { readCounts } from "./test_counts.ts";

/** How a suite is run. */
export interface DenoRunOptions {
  /** Further flags of `deno test`, such as another configuration. */
  readonly extra?: readonly string[];
  /** Where its processes wait for their turn; absent: in one lane. */
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
  const runPart = (paths: readonly string[]): Promise<SuiteRun> => runSuite(root, { ...suite, paths }, extra);
  const runs = await runParts(splitSuite(root, suite), { lanes, work: runPart });
  if (runs.length === 0) return failedRun(suite.name, `there is no test in ${suite.paths.join(", ")}`);
  return await repeatFailed(
    joinRuns(suite.name, runs),
    (files) => lanes.alone(() => runPart(files)),
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
  return {
    name: suite.name,
    counts,
    seconds,
    why,
    failedFiles: failedFiles(output),
    fileSeconds: fileSeconds(output),
  };
}

/**
 * A line that says under which file the tests are that follow. The verdict of a test stands behind its name, or in a
 * line of its own once `deno test` has told that it takes long.
 */
const FILE = /^running \d+ tests? from \.\/(\S+)$/;

/** How long the tests of each file took, in seconds: `deno test` tells no fraction of those longer than one. */
export function fileSeconds(output: string): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  let file = "";
  for (const line of output.split("\n")) {
    file = FILE.exec(line)?.[1] ?? file;
    // a step is indented, and counts with its test
    const took = /^(?:\S.* \.\.\.)? (?:ok|FAILED)(?: \(.*\))? \(([\dhms]+)\)$/.exec(line)?.[1];
    if (took !== undefined && file !== "") files.set(file, (files.get(file) ?? 0) + secondsOf(took));
  }
  return files;
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

function secondsOf(time: string): number {
  return [...time.matchAll(/(\d+)(ms|[smh])/g)].reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  );
}

/**
 * The test files in which something failed. A test may be registered by a file that it shares with others, which is
 * the place that `deno test` names; so what counts is under which test file it was run.
 */
export function failedFiles(output: string): readonly string[] {
  const files = new Set<string>();
  let file = "";
  for (const line of output.split("\n")) {
    file = FILE.exec(line)?.[1] ?? file;
    if (file !== "" && /(?: \.\.\.|^) FAILED(?: \(.*\))?$/.test(line)) files.add(file);
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
