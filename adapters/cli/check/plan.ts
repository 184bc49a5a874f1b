/**
 * What is checked: the server, the tool that makes it start a command, and the arguments that do.
 *
 * This file decides what the command line means, and what to assume where it says nothing.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../../core/json/value.ts";
import type { SpawnRequest } from "../../../core/ports/process.ts";
import { UsageError } from "../program/exit_code.ts";
import type { FlagNames, Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { programNamed } from "../program/server_program.ts";
import type { ListedTool } from "./era.ts";

/** One kind of call. */
export interface ToolCall {
  /** Name of the tool; `undefined`: it is to be chosen. */
  readonly tool: string | undefined;
  /** JSON text of its arguments; `undefined`: they are to be chosen. */
  readonly argumentsText: string | undefined;
}

/** What was asked for. */
export interface CheckPlan {
  /** The program that this is. */
  readonly runtime: CliRuntime;
  /** The server. */
  readonly server: SpawnRequest;
  /** The call that starts a command. */
  readonly call: ToolCall;
  /** The calls that begin and use something that outlives a call; absent: that is not checked. */
  readonly session?: { readonly start: ToolCall; readonly use: ToolCall };
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
  /** Ends the check, its server and its folder. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool and arguments. */
export interface ChosenCall {
  /** The tool, as the server lists it. */
  readonly tool: ListedTool;
  /** JSON text of the arguments, an object. */
  readonly argumentsText: string;
}

/** All flags of `check`. */
export const CHECK_FLAGS: FlagNames = {
  values: [
    "tool",
    "args",
    "session-start",
    "session-start-args",
    "session-use",
    "session-use-args",
    "timeout",
  ],
};

const TIMEOUT_MS = 20_000;

/** Reads the command line. Throws a `UsageError` for what cannot be meant. */
export async function readPlan(runtime: CliRuntime, flags: Flags): Promise<CheckPlan> {
  if (flags.rest.length === 0) throw new UsageError("check needs a server: codex-mcp check -- SERVER CMD…");
  if (runtime.platform === "windows") throw new UsageError("check needs a /bin/sh, which Windows has not.");
  const start = readCall(flags, "session-start", "session-start-args");
  const use = readCall(flags, "session-use", "session-use-args");
  if ((start.tool === undefined) !== (use.tool === undefined)) {
    throw new UsageError("--session-start and --session-use are needed together.");
  }
  return {
    runtime,
    server: await programNamed(runtime, flags.rest),
    call: readCall(flags, "tool", "args"),
    timeoutMs: flags.milliseconds("timeout") ?? TIMEOUT_MS,
    ...(start.tool === undefined ? {} : { session: { start, use } }),
  };
}

function readCall(flags: Flags, toolFlag: string, argsFlag: string): ToolCall {
  const argumentsText = flags.value(argsFlag);
  if (argumentsText !== undefined && !isObjectText(argumentsText)) {
    throw new UsageError(`--${argsFlag} takes a JSON object, such as '{"command":["true"]}'.`);
  }
  return { tool: flags.value(toolFlag), argumentsText };
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Chooses among the tools that the server lists: the named one, else the only one, else the one named `exec`.
 * Without arguments, a tool that takes a `command` gets `true`. Throws a `UsageError` when that is not enough.
 */
export function chooseCall(
  tools: readonly ListedTool[],
  { tool: name, argumentsText }: ToolCall,
): ChosenCall {
  const tool = name === undefined && tools.length === 1
    ? tools[0]
    : tools.find((listed) => listed.name === (name ?? "exec"));
  if (tool === undefined) {
    const names = tools.map((listed) => listed.name).join(", ") || "none";
    throw new UsageError(
      name === undefined
        ? `Which tool starts a command? Name it with --tool; the server has: ${names}.`
        : `The server has no tool ${JSON.stringify(name)}; it has: ${names}.`,
    );
  }
  const command = ownProperty(ownProperty(tool.inputSchema, "properties"), "command");
  const type = ownProperty(command, "type");
  const usual = type === "array"
    ? '{"command":["true"]}'
    : type === "string"
    ? '{"command":"true"}'
    : undefined;
  const chosen = argumentsText ?? usual;
  if (chosen === undefined) {
    throw new UsageError(
      `Say with --args what makes ${JSON.stringify(tool.name)} start a command, as a JSON object.`,
    );
  }
  return { tool, argumentsText: chosen };
}
