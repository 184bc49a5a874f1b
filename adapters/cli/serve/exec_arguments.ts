/**
 * The arguments of the `exec` tool: a model wrote them, so they say what to run and nothing about the authority to
 * run it under. What else they hold is ignored.
 *
 * @module
 */

import { SandboxError } from "../../../core/errors.ts";
import { ownProperty } from "../../../core/json/value.ts";

/** What a call of `exec` asks for. */
export interface ExecArguments {
  /** The program and its arguments, at least the program. */
  readonly command: readonly string[];
  /** Milliseconds that the command may run, at least 1; absent: as long as the operator lets it. */
  readonly timeoutMs?: number;
  /** Standard input, written as UTF-8; absent: closed. */
  readonly stdin?: string;
  /** Directory to change to inside the sandbox. */
  readonly directory?: string;
}

/** JSON schema of {@linkcode ExecArguments}, as the tool lists it. */
export const EXEC_INPUT_SCHEMA = {
  type: "object",
  properties: {
    command: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: 'The program and its arguments, such as ["git", "status"]. No shell reads them.',
    },
    timeoutMs: {
      type: "integer",
      minimum: 1,
      description: "Milliseconds after which the command is ended.",
    },
    stdin: { type: "string", description: "Standard input. Without it, standard input is empty." },
    directory: {
      type: "string",
      description: "Directory to run in, absolute or relative to the project. The sandbox stays as it is.",
    },
  },
  required: ["command"],
} as const;

/**
 * Reads the arguments of a call.
 *
 * @throws {SandboxError} `COMMAND_INVALID` when the command is not a list of texts with at least one, or another
 * argument is not of its type.
 */
export function parseExecArguments(value: unknown): ExecArguments {
  const command = ownProperty(value, "command");
  const timeoutMs = ownProperty(value, "timeoutMs");
  const stdin = ownProperty(value, "stdin");
  const directory = ownProperty(value, "directory");
  if (!Array.isArray(command) || command.length === 0 || !command.every(isText)) {
    throw invalid("command", "a list of texts, of which the first names a program");
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 1)) {
    throw invalid("timeoutMs", "a number of milliseconds from 1 on");
  }
  if (stdin !== undefined && !isText(stdin)) throw invalid("stdin", "a text");
  if (directory !== undefined && !isText(directory)) throw invalid("directory", "a text");
  return {
    command,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(directory === undefined ? {} : { directory }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function invalid(name: string, wanted: string): SandboxError {
  return new SandboxError(
    "COMMAND_INVALID",
    `Cannot read the argument "${name}": it must be ${wanted}; nothing was run.`,
  );
}
