/**
 * What goes to the server: the parameters of one `tools/call`, with the `_meta` that its authority asks for.
 *
 * Which entries of a `_meta` are the host's is `core/sandbox/call_meta.ts`'s; here is added what belongs to the
 * connection. MCP 2025-11-25 and 2026-07-28, `_meta`, progress.
 *
 * @module
 */

import type { CallToolRequest } from "@modelcontextprotocol/client";
import { JsonError } from "../../../../core/errors.ts";
import { freezeJson } from "../../../../core/json/freeze.ts";
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from "../../../../core/json/value.ts";
import { tryWriteJson } from "../../../../core/json/write.ts";
import type { Binding } from "../../../../core/sandbox/binding.ts";
import { buildCallMeta } from "../../../../core/sandbox/call_meta.ts";
import { SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "../../../../core/sandbox/keys.ts";
import type { Platform } from "../../../../core/sandbox/path.ts";
import type { OpenConnection } from "../connect/server_connection.ts";

/** What a caller gave, copied. */
export interface CallInput {
  /** The arguments. */
  readonly args: JsonObject;
  /** Entries of the `_meta`. */
  readonly meta: JsonObject;
}

/** What parameters are made of. */
export interface CallParamsOptions extends CallInput {
  /** Name of the tool. */
  readonly tool: string;
  /** Id of the thread. */
  readonly thread: string;
  /** What of the turn is sent. */
  readonly binding: Binding<string>;
  /** Where it is sent. */
  readonly connection: Pick<OpenConnection, "capabilities" | "exact">;
  /** Whose path the launcher is. */
  readonly platform: Platform;
}

/**
 * Keys that the connection writes itself. A caller's `progressToken` would be another call's: the SDK counts its own.
 * The others say which protocol is spoken, by whom and with which capabilities, and what the server should log to us.
 */
const CONNECTION_KEYS: readonly string[] = [
  "progressToken",
  "io.modelcontextprotocol/logLevel",
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientInfo",
  "io.modelcontextprotocol/clientCapabilities",
];

/** Levels of arguments and of a `_meta`. */
const MAX_DEPTH = 1_000;

/**
 * Copies what a caller gave, and drops what is not the caller's.
 *
 * @throws {JsonError} `JSON_MALFORMED` when it is no JSON: a circle, a bigint, a function, no object; or nested too
 * deeply for a message.
 */
export function captureInput(args: unknown, meta: unknown): CallInput {
  const given = copyOf(meta, "_meta");
  const kept = Object.entries(given).filter(([key]) => !CONNECTION_KEYS.includes(key));
  return Object.freeze({ args: copyOf(args, "arguments"), meta: freezeJson(Object.fromEntries(kept)) });
}

function copyOf(value: unknown, name: string): JsonObject {
  const text = tryWriteJson(value);
  const copy: unknown = text === null ? null : JSON.parse(text);
  if (isTooDeep(copy)) {
    const state = `its ${name} are nested more than ${MAX_DEPTH} levels deep`;
    throw new JsonError("JSON_MALFORMED", `Cannot call the tool: ${state}`);
  }
  if (isJsonObject(copy)) return freezeJson(copy as JsonObject);
  throw new JsonError(
    "JSON_MALFORMED",
    `Cannot call the tool: its ${name} cannot be written as a JSON object`,
  );
}

/** Whether a value is nested deeper than the SDK and servers can write and read. Does not recurse itself. */
function isTooDeep(value: unknown): boolean {
  let level: readonly object[] = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return false;
}

/** Builds the parameters. Each time they are written, the state goes out as the text that it came as. */
export function buildCallParams(options: CallParamsOptions): CallToolRequest["params"] {
  const { tool, thread, args, meta, binding, connection, platform } = options;
  const built = buildCallMeta({
    meta: Object.hasOwn(meta, "threadId") ? meta : { ...meta, threadId: thread },
    capabilities: connection.capabilities,
    state: binding.state.sent ? "" : undefined,
    launcher: binding.launcher.sent ? binding.launcher.launcher : undefined,
    platform,
  });
  return {
    name: tool,
    arguments: { ...args },
    _meta: binding.state.sent ? withState(built, () => connection.exact(stateOf(binding))) : { ...built },
  };
}

function stateOf({ state }: Binding<string>): string {
  return state.sent ? state.value : "null";
}

/**
 * Puts what writes itself as the state in the place of the state. A stand-in is for one message, a call for several.
 */
function withState(meta: JsonObject, write: () => JsonValue): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...meta };
  for (const key of [SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY]) whole[key] = { toJSON: write };
  return whole;
}
