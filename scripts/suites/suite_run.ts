/**
 * How a suite ended, and what that comes to when it ran in several processes, or when what failed was run again.
 *
 * The tests start hundreds of processes and have deadlines, and a machine that is busy for a moment misses one now
 * and then; what is broken fails again. So the files that failed, unless they are many, run once more while nothing
 * else does, and the report says which these were and how they failed.
 *
 * @module
 */

import { addCounts, type TestCounts } from "./test_counts.ts";

/** How a suite, or a part of it, ended. */
export interface SuiteRun {
  /** What the report calls it. */
  readonly name: string;
  /** How many passed and failed. */
  readonly counts: TestCounts;
  /** Seconds that its processes ran, all of them together. */
  readonly seconds: number;
  /** How the tests failed, as the runner printed it; empty when none did. */
  readonly why: string;
  /** The files that hold a test that failed; empty also when something failed that belongs to no file. */
  readonly failedFiles: readonly string[];
  /** Seconds that the tests of each file took; absent where the runner does not tell. */
  readonly fileSeconds?: ReadonlyMap<string, number>;
}

/** Most files that are run again by themselves. */
const MOST_REPEATED = 3;

/** What could not be run at all, as one failure. */
export function failedRun(name: string, why: string): SuiteRun {
  return { name, counts: { passed: 0, failed: 1 }, seconds: 0, why, failedFiles: [] };
}

/** The parts of a suite as one. */
export function joinRuns(name: string, runs: readonly SuiteRun[]): SuiteRun {
  const failed = runs.filter(({ counts }) => counts.failed > 0);
  const isEachTold = failed.every(({ failedFiles }) => failedFiles.length > 0);
  return {
    name,
    counts: addCounts(runs.map(({ counts }) => counts)),
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    why: failed.map(({ why }) => why).join("\n"),
    failedFiles: isEachTold ? [...new Set(failed.flatMap(({ failedFiles }) => failedFiles))] : [],
    fileSeconds: new Map(runs.flatMap(({ fileSeconds = [] }) => [...fileSeconds])),
  };
}

/** What `first` comes to after `again` ran the files that failed in it, if that may be done. */
export async function repeatFailed(
  first: SuiteRun,
  again: (files: readonly string[]) => Promise<SuiteRun>,
): Promise<SuiteRun> {
  const files = first.failedFiles;
  if (first.counts.failed === 0 || files.length === 0 || files.length > MOST_REPEATED) return first;
  const second = await again(files);
  const seconds = first.seconds + second.seconds;
  if (second.counts.failed > 0) return { ...first, seconds };
  const { passed, failed } = first.counts;
  const name = `${first.name} (${failed} of them only when run again: ${files.join(", ")})`;
  return { ...first, name, seconds, counts: { passed: passed + failed, failed: 0 }, failedFiles: [] };
}

/** A line of the report, and below it how tests failed, were it only the first time. */
export function reportOf({ name, counts: { passed, failed }, seconds, why }: SuiteRun): string {
  const state = failed === 0 ? "ok    " : "failed";
  const line = `${state} ${name}: ${passed} passed, ${failed} failed, ${Math.round(seconds)} s`;
  return why === "" ? line : `${line}\n${why.replace(/^/gm, "  ")}`;
}

/** Lines that name the files whose tests took longest, the longest first. */
export function slowestFiles(runs: readonly SuiteRun[], most: number): string {
  const files = runs.flatMap(({ fileSeconds = [] }) => [...fileSeconds]);
  const slowest = files.sort(([, one], [, other]) => other - one).slice(0, most);
  return slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(8)} s  ${file}`).join("\n");
}
