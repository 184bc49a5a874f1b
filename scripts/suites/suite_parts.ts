/**
 * In which parts the files of a suite run: side by side, beside those, or while nothing else does. `suites.ts` says
 * what the suites are, `lanes.ts` lets the parts wait for their turn.
 *
 * @module
 */

import type { Lanes } from "./lanes.ts";

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

/**
 * Tests that mostly wait, for deadlines of whole seconds: they take a tenth of a processor, so they run beside the
 * lanes, a file at a time. The longest come first.
 */
export const ASIDE: readonly string[] = [
  "tests/real/enterprise/cli/deadline_test.ts",
  "tests/real/host/soak_test.ts",
  "tests/real/keyring/failures_test.ts",
  "tests/real/enterprise/cli/silence_test.ts",
  "tests/real/command/doctor_enterprise_test.ts",
  "tests/adapters/cli/exec/trial_test.ts",
  "tests/adapters/sandbox/guard_test.ts",
  "tests/adapters/mcp/host/connect/create_connection_stdio_test.ts",
  "tests/adapters/mcp/host/connect/attempt_test.ts",
  "tests/adapters/mcp/wire/stdio_transport_test.ts",
  "tests/adapters/mcp/relay/relay_test.ts",
];

/** Files in the groups that a process is given. */
export interface Parts {
  /** Those that run side by side, in lanes. */
  readonly together: readonly (readonly string[])[];
  /** Those that run beside the lanes. */
  readonly aside: readonly (readonly string[])[];
  /** Those that run while nothing else does. */
  readonly alone: readonly (readonly string[])[];
}

/** The parts of a suite with these test files, of which a process is given so many at most. */
export function splitFiles(files: readonly string[], most: number): Parts {
  const apart = new Set([...ASIDE, ...ALONE]);
  const others = files.filter((path) => !apart.has(path));
  const together = Array.from(
    { length: Math.ceil(others.length / most) },
    (_, index) => others.slice(index * most, (index + 1) * most),
  );
  const alone = files.filter((path) => ALONE.includes(path));
  const aside = ASIDE.filter((path) => files.includes(path)).map((path) => [path]);
  return { together, aside, alone: alone.length > 0 ? [alone] : [] };
}

/** How parts are run. */
export interface PartsWork<Value> {
  /** Where they wait for their turn. */
  readonly lanes: Lanes;
  /** Runs the files of one part. */
  readonly work: (files: readonly string[]) => Promise<Value>;
}

/** Runs each part at its turn; gives what became of each. */
export function runParts<Value>(
  { together, aside, alone }: Parts,
  { lanes, work }: PartsWork<Value>,
): Promise<Value[]> {
  return Promise.all([
    ...together.map((files) => lanes.run(() => work(files))),
    ...aside.map((files) => lanes.aside(() => work(files))),
    ...alone.map((files) => lanes.alone(() => work(files))),
  ]);
}
