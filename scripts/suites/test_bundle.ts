/**
 * Bundles tests once, outside the repository, for the runtimes that cannot run its sources: Node and Bun.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import type { Lanes } from "./lanes.ts";
import { failedRun, type SuiteRun } from "./suite_run.ts";

/** Tests that are bundled. */
export interface TestBundle {
  /** The repository. */
  readonly root: string;
  /** Where the bundles lie, as long as the work goes on. */
  readonly folder: string;
  /** The script of each test file. */
  readonly scripts: ReadonlyMap<string, string>;
}

/** What is done with them, and in which lanes they are bundled. */
export interface BundleWork {
  readonly lanes: Lanes;
  readonly work: (bundle: TestBundle) => Promise<SuiteRun[]>;
}

/** Bundles test files of the repository at `root` for `work`, and removes the bundles after it. */
export async function withTestBundle(
  root: string,
  files: readonly string[],
  { lanes, work }: BundleWork,
): Promise<SuiteRun[]> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "codex-mcp-bundle-" }));
  try {
    const scripts = await lanes.run(() => bundle(root, folder, [...new Set(files)].sort()));
    if (typeof scripts === "string") return [failedRun("bundle of the tests", scripts)];
    return await work({ root, folder, scripts });
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
  if (files.length === 0) return "there is no test to bundle";
  const args = ["bundle", "--quiet", "--platform=deno", "--outdir", folder, ...files];
  const result = await runDeno(args, { directory: root });
  if (result.code !== 0) return result.output;
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module", private: true }));
  const written = new Set(listScripts(folder));
  const shared = commonFolder(files);
  const scripts = new Map(
    files.map((file) => [file, `${folder}/${file.slice(shared.length).replace(/\.tsx?$/, ".js")}`]),
  );
  const missing = files.filter((file) => !written.has(scripts.get(file) ?? ""));
  return missing.length === 0 ? scripts : `there is no bundle of ${missing.join(", ")}`;
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
