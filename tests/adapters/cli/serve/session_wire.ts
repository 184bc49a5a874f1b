/**
 * `codex-mcp serve` as a program, with a client that calls its session tools.
 *
 * @module
 */

import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { assert, assertEquals, fail } from "@std/assert";
import type { SessionReport } from "../../../../adapters/sandbox/session_report.ts";
import { type Answer, CLIENT_INFO, type ClientName, fixture, limit, textOf } from "./wire.ts";

/** A connection to a server of sessions. */
export interface SessionPeer extends AsyncDisposable {
  /** Process id of the server. */
  readonly pid: number;
  /** Lists the tools; from then on the client checks results against their schema. */
  tools(): Promise<readonly { readonly name: string; readonly [field: string]: unknown }[]>;
  /** Calls a tool. */
  call(tool: string, args: object, meta: object, signal?: AbortSignal): Promise<Answer>;
  /** Asks for a task, as MCP 2025-11-25 has it, without having been told that the server knows any. */
  callAsTask(tool: string, args: object, meta: object, signal?: AbortSignal): Promise<Answer>;
}

/** How the server is started. */
export interface SessionServerOptions {
  /** `CODEX_HOME` of the server. */
  readonly home: string;
  /** Flags of `serve`. */
  readonly flags?: readonly string[];
}

/** Starts a server and connects `client` to it. */
export async function connectSessions(
  client: ClientName,
  { home, flags = [] }: SessionServerOptions,
): Promise<SessionPeer> {
  const main = fixture("../../adapters/cli/main.ts");
  const parameters = {
    command: Deno.execPath(),
    args: ["run", "--quiet", "-A", "--config", fixture("../../deno.json"), main, "serve", ...flags],
    env: { ...Deno.env.toObject(), CODEX_HOME: home },
  };
  const transport = client === "SDK v1" ? new StdioV1(parameters) : new StdioV2(parameters);
  const peer = createClient(client);
  await peer.connect(transport as StdioV2);
  return {
    pid: transport.pid ?? fail("the server has no process id"),
    tools: async () => (await peer.listTools()).tools,
    call: async (tool, args, meta, signal) => {
      const params = { name: tool, arguments: { ...args }, _meta: { ...meta } };
      const options = { timeout: limit.timeout, ...(signal === undefined ? {} : { signal }) };
      return await (client === "SDK v1"
        ? (peer as unknown as ClientV1).callTool(params, undefined, options)
        : peer.callTool(params, options)) as Answer;
    },
    callAsTask: async (name, args, _meta, signal) => {
      const params = { name, arguments: { ...args }, _meta: { ..._meta }, task: { ttl: 60_000 } };
      const options = { timeout: limit.timeout, ...(signal === undefined ? {} : { signal }) };
      const call = { method: "tools/call", params } as const;
      return await (peer as unknown as ClientV1).request(call, CallToolResultSchema, options) as Answer;
    },
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

function createClient(name: ClientName): ClientV2 {
  if (name === "SDK v1") return new ClientV1(CLIENT_INFO) as unknown as ClientV2;
  const mode = name.includes("2026") ? { pin: "2026-07-28" } : "legacy";
  return new ClientV2(CLIENT_INFO, { versionNegotiation: { mode } });
}

/** The report in an answer that is no error. */
export function reportIn(answer: Answer): SessionReport {
  assertEquals(answer.isError ?? false, false, textOf(answer));
  assertEquals(JSON.parse(textOf(answer)), answer.structuredContent);
  return answer.structuredContent as SessionReport;
}

/** The code of a refusal. */
export function codeIn(answer: Answer): string {
  assertEquals([answer.isError, answer.structuredContent], [true, undefined], textOf(answer));
  const [code = ""] = textOf(answer).split(":");
  assert(/^[A-Z_]+$/.test(code), textOf(answer));
  return code;
}
