/**
 * Bundles the tests that belong on Node once, outside the repository, and runs them with every Node of
 * `scripts/toolchain.json`. `suites.ts` says which tests these are.
 *
 * @module
 */

import { run, runDeno } from "./command.ts";
import { readToolchain } from "./gates/toolchain.ts";
import { Lanes, lanesOfMachine } from "./lanes.ts";
import { findNode, type NodeBinary } from "./node_binaries.ts";
import { failedRun, joinRuns, repeatFailed, reportOf, type SuiteRun } from "./suite_run.ts";
import { nodeTestFiles, splitFiles, testEnvironment } from "./suites.ts";
import { addCounts, readCounts } from "./test_counts.ts";

/** Most test files that one run of Node is given. */
const FILES_AT_ONCE = 48;

/** Runs the tests of the repository at `root` on each Node, in the lanes given, else one run after the other. */
export async function testOnNode(
  root: string,
  majors: readonly string[],
  { lanes = new Lanes(1) }: { readonly lanes?: Lanes } = {},
): Promise<SuiteRun[]> {
  const folder = await Deno.makeTempDir({ prefix: "codex-mcp-node-" });
  try {
    const files = majors.map((major) => nodeTestFiles(root, major));
    const bundles = await lanes.run(() => bundle(root, folder, [...new Set(files.flat())].sort()));
    if (typeof bundles === "string") return [failedRun("bundle of the tests for Node", bundles)];
    return await Promise.all(majors.map((major, index) => {
      const place: Place = { root, folder, bundles, files: files[index] ?? [], lanes };
      return testOn(major, place).catch((error) => failedRun(`tests on Node ${major}`, String(error)));
    }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Bundles test files; returns the path of each one's bundle, or what went wrong. */
async function bundle(
  root: string,
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string> | string> {
  if (files.length === 0) return "there is no test for Node";
  const result = await runDeno(["bundle", "--quiet", "--platform=deno", "--outdir", folder, ...files], {
    directory: root,
  });
  if (result.code !== 0) return result.output;
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module", private: true }));
  const scripts = new Set(listScripts(folder));
  const shared = commonFolder(files);
  const bundles = new Map(
    files.map((file) => [file, `${folder}/${file.slice(shared.length).replace(/\.tsx?$/, ".js")}`]),
  );
  const missing = files.filter((file) => !scripts.has(bundles.get(file) ?? ""));
  return missing.length === 0 ? bundles : `there is no bundle of ${missing.join(", ")}`;
}

function listScripts(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory ? listScripts(path) : [path];
  });
}

/** The folder, with its slash, that holds every file: bundles have their places below it. */
function commonFolder(files: readonly string[]): string {
  const [first = "", ...others] = files.map((file) => file.slice(0, file.lastIndexOf("/") + 1));
  let shared = first;
  while (others.some((folder) => !folder.startsWith(shared))) {
    shared = shared.slice(0, shared.lastIndexOf("/", shared.length - 2) + 1);
  }
  return shared;
}

interface Place {
  readonly root: string;
  readonly folder: string;
  /** The bundle of each test file. */
  readonly bundles: ReadonlyMap<string, string>;
  /** The test files for this Node. */
  readonly files: readonly string[];
  readonly lanes: Lanes;
}

/** Files that failed are run once more, see `suite_run.ts`. */
async function testOn(major: string, place: Place): Promise<SuiteRun> {
  const { files, lanes } = place;
  if (files.length === 0) return failedRun(`tests on Node ${major}`, "there is no test for it");
  const node = await findNode(major);
  const { together, alone } = splitFiles(files, FILES_AT_ONCE);
  const runs = await Promise.all([
    ...together.map((part) => lanes.run(() => runFiles(node, part, place))),
    ...alone.map((part) => lanes.alone(() => runFiles(node, part, place))),
  ]);
  const name = `tests on Node ${node.version}`;
  return await repeatFailed(
    joinRuns(name, runs),
    (failed) => lanes.alone(() => runFiles(node, failed, place)),
  );
}

async function runFiles(
  { program, version }: NodeBinary,
  files: readonly string[],
  { root, folder, bundles }: Place,
): Promise<SuiteRun> {
  const paths = files.flatMap((file) => bundles.get(file) ?? []);
  const flags = ["--test", "--test-timeout=300000", "--test-reporter=tap", "--test-concurrency=1"];
  const { output, code, seconds } = await run(program, [...flags, ...paths], {
    directory: folder,
    environment: testEnvironment(root),
  });
  const counts = readCounts(output, code);
  const why = counts.failed > 0 ? failedPart(output) : "";
  const failed = new Set(failedScripts(output));
  const failedFiles = files.filter((file) => failed.has(bundles.get(file) ?? ""));
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
  const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const majors = Deno.args.length > 0 ? Deno.args : readToolchain(root).node;
  const runs = await testOnNode(root, majors, { lanes: lanesOfMachine() });
  for (const run of runs) console.log(reportOf(run));
  const { passed, failed } = addCounts(runs.map((one) => one.counts));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exitCode = 1;
}
