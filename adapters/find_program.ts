/**
 * Finding a program by the name that a configuration or a person gives it: the process port starts absolute paths
 * alone. It is the user's command; a launcher is never looked for this way.
 *
 * @module
 */

import { access, constants, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import type { Platform } from "../core/sandbox/path.ts";

/** Where a program is looked for. */
export interface ProgramPlace {
  /** The environment that it gets: its `PATH` counts. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of the directory that it starts in: a name with a slash is a path from there. */
  readonly directory: string;
  /** Whose paths these are. */
  readonly platform: Platform;
}

/** A program, or what keeps it from being started, to follow "command" in a sentence. */
export type FoundProgram =
  | { readonly path: string; readonly flaw?: never }
  | { readonly path?: never; readonly flaw: string };

/** Endings of programs that Windows starts by itself, and of those that take a shell. */
const WINDOWS_PROGRAMS: readonly string[] = [".exe", ".com"];
const WINDOWS_SCRIPTS: readonly string[] = [".cmd", ".bat", ".ps1"];

/**
 * Finds a command: one with a slash is a path, any other a name in the absolute entries of `PATH`. On Windows `.exe`
 * and `.com` may be left out, and what takes a shell (`npx.cmd`) is not found but named.
 */
export async function findProgram(command: string, place: ProgramPlace): Promise<FoundProgram> {
  const windows = place.platform === "windows";
  if (command === "" || command.includes("\0")) return { flaw: "is not the name of a program" };
  if (command.includes("/") || windows && command.includes("\\")) {
    return checkProgram(resolve(place.directory, command), windows);
  }
  const path =
    Object.entries(place.environment).find(([name]) =>
      name === "PATH" || windows && name.toUpperCase() === "PATH"
    )?.[1] ?? "";
  const folders = path.split(windows ? ";" : ":").filter((folder) => isAbsolute(folder));
  const known = [...WINDOWS_PROGRAMS, ...WINDOWS_SCRIPTS].some((end) => command.toLowerCase().endsWith(end));
  const ends = windows && !known ? [...WINDOWS_PROGRAMS, ...WINDOWS_SCRIPTS] : [""];
  for (const candidate of folders.flatMap((folder) => ends.map((end) => join(folder, command + end)))) {
    if (await isProgram(candidate)) return checkProgram(candidate, windows);
  }
  return { flaw: "is not on PATH" };
}

function checkProgram(path: string, windows: boolean): FoundProgram {
  const script = WINDOWS_SCRIPTS.some((end) => path.toLowerCase().endsWith(end));
  if (!windows || !script) return { path };
  return {
    flaw: 'is a script, which takes a shell. Set command to "cmd" and begin args with "/c" and its name',
  };
}

/** Whether the file at `path`, links followed, may be started. */
export async function isProgram(path: string): Promise<boolean> {
  const may = await access(path, constants.X_OK).then(() => true, () => false);
  return may && await stat(path).then((found) => found.isFile(), () => false);
}
