/**
 * Two folders that decide what a sandbox is worth: the project, and the configuration of Codex, which the project
 * must not hold.
 *
 * @module
 */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "./exit_code.ts";
import type { Flags } from "./flags.ts";
import type { CliRuntime } from "./runtime.ts";

/** Real path of the project that `--cwd` names; absent: the working directory. Throws a `UsageError`. */
export async function projectOf(flags: Flags): Promise<string> {
  const named = flags.value("cwd") ?? ".";
  const found = await realpath(named).catch(() => null);
  if (found !== null && (await stat(found)).isDirectory()) return found;
  throw new UsageError(`--cwd takes a directory that exists, and ${JSON.stringify(named)} does not.`);
}

/**
 * Real path of the folder that `CODEX_HOME` names, `undefined` when it names none. What does not exist yet is looked
 * for in the real path of what does.
 */
export async function codexHome({ environment }: CliRuntime): Promise<string | undefined> {
  const named = environment["CODEX_HOME"];
  return named === undefined || named === "" ? undefined : await realPathOf(resolve(named));
}

async function realPathOf(path: string): Promise<string> {
  const found = await realpath(path).catch(() => null);
  if (found !== null || dirname(path) === path) return found ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}
