/**
 * Running a command in another directory inside its sandbox: the state's directory is part of the authority
 * and is not touched, so the change happens after the sandbox was entered.
 *
 * @module
 */

import { quote, SandboxError } from "../errors.ts";
import { isRepresentable, type Platform } from "./path.ts";

/**
 * The constant script: `$1` is the directory, the rest is the command. An empty `CDPATH` keeps `cd` from
 * looking elsewhere; 125 is what `env --chdir` exits with when the directory cannot be entered. Not every shell's
 * `exec` knows `--`, so a program's name must not begin with a hyphen.
 */
const SCRIPT = 'CDPATH= cd -- "$1" || exit 125; shift; exec "$@"';

/** Where the command is to run. */
export interface InDirectoryOptions {
  /** Absolute, or relative to the directory that the sandbox starts in. */
  readonly directory: string;
  /** There is no such script for `"windows"`. */
  readonly platform: Platform;
}

/**
 * The command, wrapped so that it runs in `directory`.
 *
 * @throws {SandboxError} `COMMAND_INVALID` on Windows, when the directory is empty or cannot be passed on, and when
 * there is no command or the shell would take its first word for an option.
 */
export function inDirectory(command: readonly string[], options: InDirectoryOptions): readonly string[] {
  const { directory, platform } = options;
  if (platform === "windows") {
    throw new SandboxError(
      "COMMAND_INVALID",
      "Cannot change the directory inside the sandbox: Windows has no /bin/sh; nothing was run.",
    );
  }
  if (directory === "" || !isRepresentable(directory)) {
    throw new SandboxError(
      "COMMAND_INVALID",
      `Cannot change to the directory ${quote(directory)}: it cannot be passed on; nothing was run.`,
    );
  }
  requireProgram(command);
  // a lone "-" would be the previous directory
  const target = directory.startsWith("/") ? directory : `./${directory}`;
  return ["/bin/sh", "-c", SCRIPT, "sh", target, ...command];
}

/**
 * Refuses a command that a shell's `exec` would not take for one.
 *
 * @throws {SandboxError} `COMMAND_INVALID` when it is empty or begins with a hyphen.
 */
export function requireProgram(command: readonly string[]): void {
  if (!/^-|^$/.test(command[0] ?? "")) return;
  throw new SandboxError(
    "COMMAND_INVALID",
    "Cannot run a command that is empty or begins with a hyphen through a shell; nothing was run.",
  );
}
