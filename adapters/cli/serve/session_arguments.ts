/**
 * The arguments of the session tools: a model wrote them, so they say what to run or to send and which session, and
 * nothing about the authority or the thread. What else they hold is ignored.
 *
 * @module
 */

import { SessionError } from "../../../core/errors.ts";
import { ownProperty } from "../../../core/json/value.ts";
import { EXEC_INPUT_SCHEMA, parseExecArguments } from "./exec_arguments.ts";

/** Longest wait of one call: hosts give up on calls after about a minute. */
const LONGEST_WAIT_MS = 45_000;

/** What a call of `session_start` asks for. */
export interface StartArguments {
  /** The program and its arguments, at least the program. */
  readonly command: readonly string[];
  /** Directory to change to inside the sandbox. */
  readonly directory?: string | undefined;
  /** Milliseconds without a call after which the session ends. */
  readonly idleTimeoutMs?: number | undefined;
  /** What becomes of the process when the thread's authority changes. */
  readonly onChange: "end" | "restart";
  /** Milliseconds to wait for first output. */
  readonly waitMs: number;
}

/** What a call of another session tool asks for. */
export interface UseArguments {
  /** The session. */
  readonly sessionId: string;
  /** Milliseconds to wait for output. */
  readonly waitMs: number;
}

const SESSION_ID = { type: "string", description: "The id that session_start returned." } as const;
const WAIT = {
  type: "integer",
  minimum: 0,
  maximum: LONGEST_WAIT_MS,
  description:
    "Milliseconds to wait for output at most; the answer comes as soon as there is some. Default 1000.",
} as const;
const { command, directory } = EXEC_INPUT_SCHEMA.properties;

/** The session tools. */
export type SessionToolName = "session_start" | "session_send" | "session_read" | "session_end";

/** JSON schemas of the arguments, as the tools list them. */
export const SESSION_INPUT_SCHEMAS: Readonly<Record<SessionToolName, object>> = {
  session_start: {
    type: "object",
    properties: {
      command,
      directory,
      idleTimeoutMs: {
        type: "integer",
        minimum: 1,
        description: "Milliseconds without a call after which the session is ended.",
      },
      onChange: {
        enum: ["end", "restart"],
        description:
          "What becomes of the process when the sandbox policy of this thread changes: it is ended (default), or " +
          "the command is started anew under the new policy at the next call.",
      },
      waitMs: WAIT,
    },
    required: ["command"],
  },
  session_send: {
    type: "object",
    properties: {
      sessionId: SESSION_ID,
      input: { type: "string", description: "Standard input, sent as it is: end a line with a line break." },
      waitMs: WAIT,
    },
    required: ["sessionId", "input"],
  },
  session_read: {
    type: "object",
    properties: { sessionId: SESSION_ID, waitMs: WAIT },
    required: ["sessionId"],
  },
  session_end: { type: "object", properties: { sessionId: SESSION_ID }, required: ["sessionId"] },
};

/**
 * Reads the arguments of `session_start`.
 *
 * @throws {SandboxError} `COMMAND_INVALID` when the command or the directory is not of its type.
 * @throws {SessionError} `SESSION_INVALID` when another argument is not.
 */
export function parseStartArguments(value: unknown): StartArguments {
  const { command, directory } = parseExecArguments({
    command: ownProperty(value, "command"),
    directory: ownProperty(value, "directory"),
  });
  const idleTimeoutMs = ownProperty(value, "idleTimeoutMs");
  const onChange = ownProperty(value, "onChange") ?? "end";
  if (idleTimeoutMs !== undefined && !(typeof idleTimeoutMs === "number" && idleTimeoutMs >= 1)) {
    throw invalid("idleTimeoutMs", "a number of milliseconds from 1 on");
  }
  if (onChange !== "end" && onChange !== "restart") throw invalid("onChange", '"end" or "restart"');
  return { command, directory, idleTimeoutMs, onChange, waitMs: readWait(value) };
}

/**
 * Reads the arguments of the other tools. A wait that is too long is cut.
 *
 * @throws {SessionError} `SESSION_INVALID` when an argument is not of its type.
 */
export function parseUseArguments(value: unknown): UseArguments {
  const sessionId = ownProperty(value, "sessionId");
  if (typeof sessionId !== "string") throw invalid("sessionId", "a text");
  return { sessionId, waitMs: readWait(value) };
}

/**
 * Reads the input of `session_send`.
 *
 * @throws {SessionError} `SESSION_INVALID` when it is not a text.
 */
export function parseInput(value: unknown): string {
  const input = ownProperty(value, "input");
  if (typeof input !== "string") throw invalid("input", "a text");
  return input;
}

function readWait(value: unknown): number {
  const waitMs = ownProperty(value, "waitMs") ?? 1_000;
  if (typeof waitMs === "number" && waitMs >= 0) return Math.min(waitMs, LONGEST_WAIT_MS);
  throw invalid("waitMs", "a number of milliseconds from 0 on");
}

function invalid(name: string, wanted: string): SessionError {
  return new SessionError(
    "SESSION_INVALID",
    `Cannot read the argument "${name}": it must be ${wanted}; nothing was done.`,
  );
}
