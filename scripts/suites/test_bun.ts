/**
 * Runs the tests of the core on Bun, with `bun test`, which knows `node:test`. `suites.ts` says which tests these are,
 * `test_bundle.ts` bundles them.
 *
 * @module
 */

import { run } from "../command.ts";
import { readToolchain } from "../gates/toolchain.ts";
import { npmPackage } from "../npm_package.ts";
import { Lanes, lanesOfMachine } from "./lanes.ts";
import { runParts, splitFiles } from "./suite_parts.ts";
import { failedRun, joinRuns, repeatFailed, reportOf, type SuiteRun } from "./suite_run.ts";
import { bunTestFiles, testEnvironment } from "./suites.ts";
import { type TestBundle, withTestBundle } from "./test_bundle.ts";
import { readCounts } from "./test_counts.ts";
import type { LaneOptions } from "./test_node.ts";

/** Most test files that one run of Bun is given. */
const FILES_AT_ONCE = 48;

/** Path of Bun `version`, from npm; it is installed first when it is not there. */
export async function findBun(version: string): Promise<string> {
  const system = Deno.build.os === "windows" ? "windows" : Deno.build.os;
  const machine = Deno.build.arch === "aarch64" ? "aarch64" : "x64";
  const folder = await npmPackage(`@oven/bun-${system}-${machine}@${version}`);
  return `${folder}/bin/${Deno.build.os === "windows" ? "bun.exe" : "bun"}`;
}

/** Runs the tests for Bun among those that are bundled. */
export async function testBundleOnBun(
  bundle: TestBundle,
  version: string,
  { lanes = new Lanes(1) }: LaneOptions = {},
): Promise<SuiteRun> {
  const name = `tests of core on Bun ${version}`;
  const files = bunTestFiles(bundle.root);
  if (files.length === 0) return failedRun(name, "there is no test for it");
  try {
    const program = await findBun(version);
    const work = (part: readonly string[]): Promise<SuiteRun> =>
      runFiles(name, { program, files: part, bundle });
    const runs = await runParts(splitFiles(files, FILES_AT_ONCE), { lanes, work });
    return await repeatFailed(
      joinRuns(name, runs),
      (failed) => lanes.alone(() => work(failed)),
    );
  } catch (error) {
    return failedRun(name, String(error));
  }
}

interface BunRun {
  readonly program: string;
  readonly files: readonly string[];
  readonly bundle: TestBundle;
}

async function runFiles(name: string, { program, files, bundle }: BunRun): Promise<SuiteRun> {
  const { root, folder, scripts } = bundle;
  const paths = files.map((file) => scripts.get(file) ?? "");
  const { output, code, seconds } = await run(program, ["test", "--timeout", "300000", ...paths], {
    directory: folder,
    environment: testEnvironment(root),
  });
  const reports = fileReports(output);
  const named = (path: string): string => path.slice(folder.length + 1);
  // Bun is content with a file that tests nothing
  const idle = files.filter((_, index) =>
    !/^\((?:pass|fail)\) /m.test(reports.get(named(paths[index] ?? "")) ?? "")
  );
  const counts = readCounts(output, code);
  if (idle.length > 0 && counts.failed === 0) {
    return { ...failedRun(name, `nothing was tested in ${idle.join(", ")}`), seconds };
  }
  const failedFiles = files.filter((_, index) => {
    return /^\(fail\) |^error: /m.test(reports.get(named(paths[index] ?? "")) ?? "");
  });
  return { name, counts, seconds, why: counts.failed > 0 ? failedPart(reports, output) : "", failedFiles };
}

/** What Bun printed about each file, by its path. */
export function fileReports(output: string): ReadonlyMap<string, string> {
  const parts = output.split(/^(?:::group::)?(\S+_test\.js):$/m);
  const reports = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2) reports.set(parts[at] ?? "", parts[at + 1] ?? "");
  return reports;
}

/** The reports of the files in which something failed; the end of everything when there is none. */
function failedPart(reports: ReadonlyMap<string, string>, output: string): string {
  const failed = [...reports].filter(([, report]) => /^\(fail\) |^error: /m.test(report));
  const text = failed.map(([path, report]) => `${path}:${report.replace(/^\(pass\) .*\n/gm, "")}`).join("\n");
  return (text === "" ? output : text).split("\n").slice(-300).join("\n");
}

if (import.meta.main) {
  const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  const lanes = lanesOfMachine();
  const version = Deno.args[0] ?? readToolchain(root).bun;
  const work = async (bundle: TestBundle) => [await testBundleOnBun(bundle, version, { lanes })];
  for (const one of await withTestBundle(root, bunTestFiles(root), { lanes, work })) {
    console.log(reportOf(one));
    if (one.counts.failed > 0) Deno.exitCode = 1;
  }
}
