/**
 * The folder with the configuration of Codex, which decides what a sandbox is worth: the project must not hold it.
 *
 * @module
 */

import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../../core/sandbox/path.ts";
import type { CliRuntime } from "../program/runtime.ts";

/**
 * Real path of the folder with Codex's configuration: what `CODEX_HOME` names, else `.codex` in the home folder. What
 * does not exist yet is looked for in the real path of what does.
 */
export async function codexHome({ environment }: CliRuntime): Promise<string> {
  return await realPathOf(
    resolve(environment["CODEX_HOME"] || join(environment["HOME"] || homedir(), ".codex")),
  );
}

/** What a command may write to. */
export interface Writable {
  /** The workspace, `null` when it is not writable. */
  readonly workspace: string | null;
  /** Everything, the workspace and the temporary folders among it. */
  readonly roots: readonly string[];
}

/**
 * Whether such a command could change Codex's configuration, and with it what the next launcher does. A home that
 * nobody named is looked for in the workspace alone, of which Codex keeps an existing `.codex` read-only.
 */
export async function isCodexHomeWritable(runtime: CliRuntime, writable: Writable): Promise<boolean> {
  const home = await codexHome(runtime);
  const inside = (root: string): boolean => isInside(home, root, runtime.platform);
  if (runtime.environment["CODEX_HOME"]) return writable.roots.some(inside);
  const { workspace } = writable;
  if (workspace === null || !inside(workspace)) return false;
  return home !== join(workspace, ".codex") || await realpath(home).then(() => false, () => true);
}

async function realPathOf(path: string): Promise<string> {
  const found = await realpath(path).catch(() => null);
  if (found !== null || dirname(path) === path) return found ?? path;
  return join(await realPathOf(dirname(path)), basename(path));
}
