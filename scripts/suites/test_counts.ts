/**
 * Reads how many tests passed and failed from what a test runner printed.
 *
 * @module
 */

/** What a run of tests came to. */
export interface TestCounts {
  /** Tests that passed. */
  readonly passed: number;
  /** Tests that failed, were cancelled or could not be loaded. */
  readonly failed: number;
}

/**
 * Counts of one run. The last summary counts, since a test may print something that looks like one. A run that
 * tested nothing, or that ended badly without a failed test, has one failure.
 */
export function readCounts(output: string, exitCode: number): TestCounts {
  const found = denoCounts(output) ?? nodeCounts(output) ?? bunCounts(output) ?? { passed: 0, failed: 0 };
  const nothing = found.passed + found.failed === 0;
  const silent = exitCode !== 0 && found.failed === 0;
  return nothing || silent ? { passed: found.passed, failed: 1 } : found;
}

function denoCounts(output: string): TestCounts | null {
  const summaries = [
    ...output.matchAll(/^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm),
  ];
  const last = summaries.at(-1);
  return last === undefined ? null : { passed: Number(last[1]), failed: Number(last[2]) };
}

function nodeCounts(output: string): TestCounts | null {
  const value = (name: string): number | null => {
    const last = [...output.matchAll(new RegExp(`^(?:#|ℹ) ${name} (\\d+)\\s*$`, "gm"))].at(-1);
    return last === undefined ? null : Number(last[1]);
  };
  const passed = value("pass");
  const failed = value("fail");
  if (passed === null || failed === null) return null;
  return { passed, failed: failed + (value("cancelled") ?? 0) };
}

function bunCounts(output: string): TestCounts | null {
  const last = [...output.matchAll(/^ *(\d+) pass\n(?: *\d+ (?:skip|todo)\n)* *(\d+) fail$/gm)].at(-1);
  return last === undefined ? null : { passed: Number(last[1]), failed: Number(last[2]) };
}

/** The sum of several runs. */
export function addCounts(counts: readonly TestCounts[]): TestCounts {
  return {
    passed: counts.reduce((sum, one) => sum + one.passed, 0),
    failed: counts.reduce((sum, one) => sum + one.failed, 0),
  };
}
