/**
 * Bundles the tests that belong on Node once, outside the repository, and runs them with every Node of
 * `scripts/toolchain.json`. `suites.ts` says which tests these are.
 *
 * @module
 */

import { run, runDeno } from "./command.ts";
import { readToolchain } from "./gates/toolchain.ts";
import { findNode } from "./node_binaries.ts";
import { nodeTestFiles, testEnvironment } from "./suites.ts";
import { addCounts, readCounts, type TestCounts } from "./test_counts.ts";

/** One run on one Node. */
export interface NodeRun {
  /** What the report calls it. */
  readonly name: string;
  /** How many passed and failed. */
  readonly counts: TestCounts;
  /** What the runner printed. */
  readonly output: string;
}

/** Runs the tests of the repository at `root` on each Node. */
export async function testOnNode(root: string, majors: readonly string[]): Promise<NodeRun[]> {
  const folder = await Deno.makeTempDir({ prefix: "codex-mcp-node-" });
  try {
    const bundled = await bundle(root, folder);
    if (typeof bundled === "string") return [failure("bundle of the tests for Node", bundled)];
    const runs: NodeRun[] = [];
    for (const major of majors) runs.push(await runOn(major, { root, folder, files: bundled }));
    return runs;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function failure(name: string, output: string): NodeRun {
  return { name, counts: { passed: 0, failed: 1 }, output };
}

/** Bundles every test file; returns the bundles, or what went wrong. */
async function bundle(root: string, folder: string): Promise<readonly string[] | string> {
  const files = nodeTestFiles(root);
  if (files.length === 0) return "there is no test for Node";
  const result = await runDeno(["bundle", "--quiet", "--platform=deno", "--outdir", folder, ...files], {
    directory: root,
  });
  if (result.code !== 0) return result.output;
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module", private: true }));
  const bundles = listScripts(folder);
  return bundles.length >= files.length ? bundles : `${files.length} tests gave ${bundles.length} bundles`;
}

function listScripts(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return listScripts(path);
    return entry.name.endsWith("_test.js") ? [path] : [];
  }).sort();
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly files: readonly string[];
}

async function runOn(major: string, { root, folder, files }: Place): Promise<NodeRun> {
  try {
    const { program, version } = await findNode(major);
    const result = await run(program, ["--test", "--test-reporter=tap", ...files], {
      directory: folder,
      environment: testEnvironment(root),
    });
    return {
      name: `tests on Node ${version}`,
      counts: readCounts(result.output, result.code),
      output: result.output,
    };
  } catch (error) {
    return failure(`tests on Node ${major}`, String(error));
  }
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
  const runs = await testOnNode(root, Deno.args.length > 0 ? Deno.args : readToolchain(root).node);
  for (const { name, counts, output } of runs) {
    console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
    if (counts.failed > 0) console.log(failedPart(output));
  }
  const { passed, failed } = addCounts(runs.map((one) => one.counts));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exitCode = 1;
}
