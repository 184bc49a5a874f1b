/**
 * How much an operating system takes in an argument vector, measured before it is asked: its own refusal
 * (`E2BIG`, error 206) does not say what was too large.
 *
 * @module
 */

import { quote, SandboxError } from "../errors.ts";
import { isRepresentable, type Platform } from "./path.ts";

/** Most UTF-8 bytes of one argument on Linux: `MAX_ARG_STRLEN`, 32 pages of 4 KiB, less the closing NUL. */
export const LINUX_ARGUMENT_BYTES = 131_071;

/**
 * Most UTF-8 bytes of all arguments and the environment on macOS (`ARG_MAX`), of which a quarter is left for the
 * latter.
 */
export const DARWIN_ARGUMENTS_BYTES = 786_432;

/** Most UTF-16 units of a Windows command line, quoted, less the closing NUL. */
export const WINDOWS_COMMAND_LINE_UNITS = 32_766;

/** A planned vector and which parts of it are whose. */
export interface MeasuredCommand {
  /** The program. */
  readonly executable: string;
  /** The whole vector after it. */
  readonly args: readonly string[];
  /** The caller's own part of `args`. */
  readonly command: readonly string[];
  /** The state's part of `args`. */
  readonly stateText: string;
  /** Whose limits apply. */
  readonly platform: Platform;
}

/**
 * Refuses a vector that the platform would not take.
 *
 * @throws {SandboxError} `COMMAND_INVALID` when the command is empty, cannot be written as UTF-8, holds a NUL, or
 * is itself too large.
 * @throws {SandboxError} `STATE_TOO_LARGE` when the state is what is too large; the message has size and limit.
 */
export function requireFits(planned: MeasuredCommand): void {
  const { command, stateText, platform } = planned;
  if (command.length === 0 || command[0] === "") {
    throw new SandboxError("COMMAND_INVALID", "Cannot run an empty command; nothing was run.");
  }
  for (const argument of command) {
    if (isRepresentable(argument)) continue;
    throw new SandboxError(
      "COMMAND_INVALID",
      `Cannot pass on the argument ${quote(argument)}: it holds a NUL or a lone surrogate; nothing was run.`,
    );
  }
  if (platform === "linux") {
    for (const argument of command) {
      const bytes = utf8Bytes(argument);
      if (bytes > LINUX_ARGUMENT_BYTES) {
        throw commandTooLarge(bytes, `${LINUX_ARGUMENT_BYTES} bytes an argument`);
      }
    }
    const bytes = utf8Bytes(stateText);
    if (bytes > LINUX_ARGUMENT_BYTES) throw stateTooLarge(bytes, `${LINUX_ARGUMENT_BYTES} bytes`);
    return;
  }
  const [limit, unit, size] = platform === "darwin"
    ? [DARWIN_ARGUMENTS_BYTES, "bytes in all arguments", argumentBytes] as const
    : [WINDOWS_COMMAND_LINE_UNITS, "UTF-16 units in the command line", commandLineUnits] as const;
  const total = size([planned.executable, ...planned.args]);
  if (total <= limit) return;
  const rest = total - size([stateText]);
  throw rest > limit ? commandTooLarge(rest, `${limit} ${unit}`) : stateTooLarge(total, `${limit} ${unit}`);
}

function stateTooLarge(size: number, limit: string): SandboxError {
  return new SandboxError(
    "STATE_TOO_LARGE",
    `Cannot pass on the sandbox state: with it the arguments have ${size} of at most ${limit}; nothing was run. ` +
      "Only the host can shorten its policy.",
  );
}

function commandTooLarge(size: number, limit: string): SandboxError {
  return new SandboxError(
    "COMMAND_INVALID",
    `Cannot pass on the command: it has ${size} of at most ${limit}; nothing was run.`,
  );
}

/** UTF-8 bytes of `text`; counted only where the number of its UTF-16 units leaves a doubt on Linux. */
function utf8Bytes(text: string): number {
  return text.length * 3 <= LINUX_ARGUMENT_BYTES ? text.length : new TextEncoder().encode(text).length;
}

function argumentBytes(args: readonly string[]): number {
  return args.reduce((sum, argument) => sum + new TextEncoder().encode(argument).length + 1, 0);
}

/** Length of the command line that the Windows C runtime splits into these arguments. */
function commandLineUnits(args: readonly string[]): number {
  return args.reduce((sum, argument) => sum + quotedUnits(argument) + 1, -1);
}

function quotedUnits(argument: string): number {
  if (argument !== "" && !/[\s"]/.test(argument)) return argument.length;
  let units = 2;
  let backslashes = 0;
  for (const character of argument) {
    units += character.length;
    // backslashes count once, and once more each before a quote, which needs one of its own
    if (character === "\\") backslashes++;
    else {
      if (character === '"') units += backslashes + 1;
      backslashes = 0;
    }
  }
  return units + backslashes;
}
