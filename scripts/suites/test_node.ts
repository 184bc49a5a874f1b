/**
 * Runs the tests that belong on Node with every Node of `scripts/toolchain.json`. `suites.ts` says which tests these
 * are, `test_bundle.ts` makes of them what Node can run.
 *
 * @module
 */

import { run } from "../command.ts";
import { readToolchain } from "../gates/toolchain.ts";
import { Lanes, lanesOfMachine } from "./lanes.ts";
import { findNode, type NodeBinary } from "./node_binaries.ts";
import { runParts, splitFiles } from "./suite_parts.ts";
import { failedRun, joinRuns, repeatFailed, reportOf, type SuiteRun } from "./suite_run.ts";
import { nodeTestFiles, testEnvironment } from "./suites.ts";
import { type TestBundle, withTestBundle } from "./test_bundle.ts";
import { addCounts, readCounts } from "./test_counts.ts";

/** Most test files that one run of Node is given. */
const FILES_AT_ONCE = 48;

/** Runs the tests of the repository at `root` on each Node, in the lanes given, else one run after the other. */
export async function testOnNode(
  root: string,
  majors: readonly string[],
  { lanes = new Lanes(1) }: LaneOptions = {},
): Promise<SuiteRun[]> {
  const files = majors.flatMap((major) => nodeTestFiles(root, major));
  return await withTestBundle(root, files, {
    lanes,
    work: (bundle) => testBundleOnNode(bundle, majors, { lanes }),
  });
}

/** Where tests run. */
export interface LaneOptions {
  /** Absent: one run after the other. */
  readonly lanes?: Lanes;
}

/** The same with tests that are bundled already. */
export async function testBundleOnNode(
  bundle: TestBundle,
  majors: readonly string[],
  { lanes = new Lanes(1) }: LaneOptions = {},
): Promise<SuiteRun[]> {
  return await Promise.all(majors.map((major) => {
    const place: Place = { ...bundle, files: nodeTestFiles(bundle.root, major), lanes };
    return testOn(major, place).catch((error) => failedRun(`tests on Node ${major}`, String(error)));
  }));
}

interface Place extends TestBundle {
  /** The test files for this Node. */
  readonly files: readonly string[];
  readonly lanes: Lanes;
}

/** Files that failed are run once more, see `suite_run.ts`. */
async function testOn(major: string, place: Place): Promise<SuiteRun> {
  const { files, lanes } = place;
  if (files.length === 0) return failedRun(`tests on Node ${major}`, "there is no test for it");
  const node = await findNode(major);
  const work = (part: readonly string[]): Promise<SuiteRun> => runFiles(node, part, place);
  const runs = await runParts(splitFiles(files, FILES_AT_ONCE), { lanes, work });
  const name = `tests on Node ${node.version}`;
  return await repeatFailed(
    joinRuns(name, runs),
    (failed) => lanes.alone(() => work(failed)),
  );
}

async function runFiles(
  { program, version }: NodeBinary,
  files: readonly string[],
  { root, folder, scripts }: Place,
): Promise<SuiteRun> {
  const paths = files.flatMap((file) => scripts.get(file) ?? []);
  const flags = ["--test", "--test-timeout=300000", "--test-reporter=tap", "--test-concurrency=1"];
  const { output, code, seconds } = await run(program, [...flags, ...paths], {
    directory: folder,
    environment: testEnvironment(root),
  });
  const counts = readCounts(output, code);
  const why = counts.failed > 0 ? failedPart(output) : "";
  const failed = new Set(failedScripts(output));
  const failedFiles = files.filter((file) => failed.has(scripts.get(file) ?? ""));
  return { name: version, counts, seconds, why, failedFiles };
}

/** The scripts that a TAP report of Node names as the places of failed tests. */
export function failedScripts(output: string): readonly string[] {
  const blocks = output.split(/^\s*(?=(?:not )?ok \d+ )/m).filter((block) => block.startsWith("not ok "));
  return blocks.flatMap((block) => /^\s*location: '(.+):\d+:\d+'$/m.exec(block)?.[1] ?? []);
}

/** The part of a TAP report that says what failed: each failed test to the end of its block, and comments. */
export function failedPart(output: string): string {
  const lines = output.split("\n");
  const picked: string[] = [];
  let inside = false;
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) inside = true;
    if (inside || /^\s*# (?!Subtest)[^:]*(error|Error| {4}at |file:)/.test(line)) picked.push(line);
    if (/^\s*\.\.\.\s*$/.test(line)) inside = false;
  }
  return (picked.length > 0 ? picked : lines.slice(-60)).slice(0, 300).join("\n");
}

if (import.meta.main) {
  const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  const majors = Deno.args.length > 0 ? Deno.args : readToolchain(root).node;
  const runs = await testOnNode(root, majors, { lanes: lanesOfMachine() });
  for (const run of runs) console.log(reportOf(run));
  const { passed, failed } = addCounts(runs.map((one) => one.counts));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exitCode = 1;
}
