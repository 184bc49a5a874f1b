/**
 * The operator's opt-out: a command without a sandbox, for calls that bring a state and no launcher.
 *
 * @module
 */

import { SandboxError } from "../../core/errors.ts";
import type { SpawnRequest } from "../../core/ports/process.ts";
import type { CapturedAuthority } from "../../core/sandbox/authority.ts";
import { inDirectory, requireProgram } from "../../core/sandbox/directory_script.ts";
import { requireFits } from "../../core/sandbox/limits.ts";
import type { Platform } from "../../core/sandbox/path.ts";
import { projectDirectory } from "../../core/sandbox/project_directory.ts";

/** Finds the command on `PATH`, as a sandbox does. */
const SCRIPT = 'exec "$@"';

/** What there is to plan with. */
export interface UnsandboxedOptions {
  /** The call's, of which the directory is read: there is no sandbox to start in it. */
  readonly authority: CapturedAuthority;
  /** Directory to change to, absolute or relative to the state's. */
  readonly directory?: string | undefined;
  /** Whose paths these are. */
  readonly platform: Platform;
}

/**
 * Plans a command without a sandbox, in the directory that the sandbox would have started in, or in the server's own
 * when the state names none. On Windows the server's own it is, and the command must name its program by an
 * absolute path.
 *
 * @throws {SandboxError} `DIRECTORY_NOT_NATIVE` when the state names a directory of another system or machine.
 * @throws {SandboxError} `COMMAND_INVALID` when the command or the directory cannot be passed on as it is.
 * @throws {SandboxError} `STATE_TOO_LARGE` when the state does not fit into an argument.
 */
export function planUnsandboxedCommand(
  command: readonly string[],
  options: UnsandboxedOptions,
): SpawnRequest {
  const { platform } = options;
  const directory = platform === "windows" ? options.directory : startDirectory(options);
  if (platform !== "windows") requireProgram(command);
  const [executable = "", ...args] = platform === "windows" && directory === undefined
    ? command
    : directory === undefined
    ? ["/bin/sh", "-c", SCRIPT, "sh", ...command]
    : inDirectory(command, { directory, platform });
  // a state that no sandbox could be given is refused here as well
  const { stateText } = options.authority;
  requireFits({ executable, args: [...args, stateText], command, stateText, platform });
  return { executable, args };
}

function startDirectory({ authority, directory, platform }: UnsandboxedOptions): string | undefined {
  if (directory === "" || directory?.startsWith("/")) return directory;
  let start: string;
  try {
    start = projectDirectory(authority.state, { platform });
  } catch (error) {
    if (error instanceof SandboxError && error.code === "DIRECTORY_UNKNOWN") return directory;
    throw error;
  }
  return directory === undefined ? start : `${start}/${directory}`;
}
