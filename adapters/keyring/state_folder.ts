/**
 * The folder for what is not secret: markers and locks. It belongs to one user and nobody else may look into it.
 *
 * What lies in it is decided in `marker_file.ts` and `lock.ts`. XDG Base Directory Specification 0.8 for Linux.
 *
 * @module
 */

import type { Stats } from "node:fs";
import { chmod, lstat, mkdir } from "node:fs/promises";
import process from "node:process";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { quote } from "../../core/errors.ts";
import { redact } from "./native.ts";

/** What the place of the folder depends on. */
export interface StateFolderFacts {
  /** The platform; every Unix but macOS counts as Linux. */
  readonly platform: "linux" | "darwin" | "windows" | "other";
  /** The value of an environment variable; `undefined`: not set. */
  readonly variable: (name: string) => string | undefined;
}

/**
 * Where the folder is: `$XDG_STATE_HOME/codex-mcp`, else `~/.local/state/codex-mcp`; on macOS
 * `~/Library/Application Support/codex-mcp`; on Windows `%LOCALAPPDATA%\codex-mcp`. Relative values are passed over.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when the environment names no home.
 *
 * @example
 * ```ts
 * import { stateFolder } from "./state_folder.ts";
 *
 * console.log(stateFolder({ platform: "linux", variable: (name) => name === "HOME" ? "/home/me" : undefined }));
 * // /home/me/.local/state/codex-mcp
 * ```
 */
export function stateFolder({ platform, variable }: StateFolderFacts): string {
  if (platform === "windows") {
    const local = variable("LOCALAPPDATA");
    if (local !== undefined && /^[a-z]:[\\/]|^\\\\/i.test(local)) return `${local}\\codex-mcp`;
    throw unusable("LOCALAPPDATA", "the variable names no folder");
  }
  const state = variable("XDG_STATE_HOME");
  if (platform !== "darwin" && state?.startsWith("/")) return `${state}/codex-mcp`;
  const home = variable("HOME");
  if (!home?.startsWith("/")) throw unusable("HOME", "the variable names no folder");
  return platform === "darwin"
    ? `${home}/Library/Application Support/codex-mcp`
    : `${home}/.local/state/codex-mcp`;
}

/**
 * Makes `folder` with mode 0700, or takes what others were allowed from one that is there.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be had, is no folder, or belongs to someone else.
 */
export async function makeStateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory()) throw unusable(folder, "it is no folder");
    // the superuser could close and use anybody's, and its owner could look into it again
    if (isOfSomeoneElse(found)) throw unusable(folder, "it belongs to someone else");
    const unix = !/^[a-z]:[\\/]|^\\\\/i.test(folder);
    if (unix && (found.mode & 0o077) !== 0) await chmod(folder, 0o700);
  } catch (error) {
    throw error instanceof EnterpriseError ? error : unusable(folder, "it cannot be made or entered", error);
  }
}

/** Whether a user who is not this process's has it. Windows tells no owners; without `--allow-sys=uid` Deno neither. */
function isOfSomeoneElse({ uid }: Stats): boolean {
  let own: number | undefined;
  try {
    own = process.getuid?.();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return own !== undefined && uid !== own;
}

/** The error for a folder, or a file in it, that cannot be used. */
export function unusable(path: string, state: string, cause?: unknown): EnterpriseError {
  return new EnterpriseError("MARKER_MALFORMED", `Cannot use the sign-in's state ${quote(path)}: ${state}`, {
    reason: "folder",
    ...(cause === undefined ? {} : { cause: redact(cause) }),
  });
}
