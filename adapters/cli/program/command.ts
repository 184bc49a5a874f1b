/**
 * What a command of the command line is, as its file exports it. Which commands there are is decided in
 * `command_line.ts`.
 *
 * @module
 */

import type { FlagNames, Flags } from "./flags.ts";
import type { CliRuntime } from "./runtime.ts";

/** A command, once loaded. */
export interface Command {
  /** What `--help` prints. */
  readonly help: string;
  /** Its flags, besides `--help` and `--json`. */
  readonly flags: FlagNames;
  /** Whether its flags may also stand after its words; absent: the first word ends them. */
  readonly mixed?: boolean;
  /** Runs it and gives back the exit code. What it throws is told and becomes an exit code. */
  readonly run: (runtime: CliRuntime, flags: Flags) => Promise<number>;
}
