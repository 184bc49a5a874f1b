/**
 * Both eras of MCP as messages: the handshake up to 2025-11-25, and the requests of 2026-07-28 that each carry their
 * envelope in `_meta`.
 *
 * @module
 */

import { ownProperty } from "../../../core/json/value.ts";
import { VERSION } from "../../version.ts";
import { type Connection, NoAnswer, type Reply } from "./connection.ts";

/** One of the eras, by the version that is asked for. */
export type Era = "2025-11-25" | "2026-07-28";

/** A tool, as far as it matters here. */
export interface ListedTool {
  /** Its name. */
  readonly name: string;
  /** JSON Schema of its arguments, unchecked. */
  readonly inputSchema: unknown;
}

/** What an opened server says of itself. */
export interface Opened {
  /** The era in which it was opened. */
  readonly era: Era;
  /** Its capabilities, unchecked. */
  readonly capabilities: unknown;
  /** Its name and version, unchecked. */
  readonly serverInfo: unknown;
  /** Its tools. */
  readonly tools: readonly ListedTool[];
}

const CLIENT = JSON.stringify({ name: "codex-mcp-check", version: VERSION });

/** Pages of the list of tools that are read. */
const PAGES = 20;

/** Opens a server in an era. Rejects with {@linkcode NoAnswer} when it does not speak it. */
export async function openServer(connection: Connection, era: Era): Promise<Opened> {
  const modern = era === "2026-07-28";
  const greeting = modern
    ? await connection.request("server/discover", paramsOf(era))
    : await connection.request(
      "initialize",
      `{"protocolVersion":"${era}","capabilities":{},"clientInfo":${CLIENT}}`,
    );
  const result = resultOf(greeting, modern ? "server/discover" : "initialize");
  if (!modern) await connection.notify("notifications/initialized", "{}");
  const info = modern
    ? ownProperty(ownProperty(result, "_meta"), "io.modelcontextprotocol/serverInfo")
    : ownProperty(result, "serverInfo");
  return {
    era,
    capabilities: ownProperty(result, "capabilities"),
    serverInfo: info,
    tools: await listTools(connection, era),
  };
}

/**
 * Params of a request as a JSON text: `members` are texts of members, `meta` those of `_meta`, to which the era's
 * own are added.
 */
export function paramsOf(era: Era, members: readonly string[] = [], meta: readonly string[] = []): string {
  const envelope = era === "2026-07-28"
    ? [
      `"io.modelcontextprotocol/protocolVersion":"${era}"`,
      `"io.modelcontextprotocol/clientInfo":${CLIENT}`,
      `"io.modelcontextprotocol/clientCapabilities":{}`,
    ]
    : [];
  const all = [...envelope, ...meta];
  return `{${[...members, ...(all.length === 0 ? [] : [`"_meta":{${all.join(",")}}`])].join(",")}}`;
}

async function listTools(connection: Connection, era: Era): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let members: readonly string[] = [];
  for (let page = 0; page < PAGES; page++) {
    const result = resultOf(await connection.request("tools/list", paramsOf(era, members)), "tools/list");
    const listed = ownProperty(result, "tools");
    for (const tool of Array.isArray(listed) ? listed : []) {
      const name = ownProperty(tool, "name");
      if (typeof name === "string") tools.push({ name, inputSchema: ownProperty(tool, "inputSchema") });
    }
    const cursor = ownProperty(result, "nextCursor");
    if (typeof cursor !== "string") break;
    members = [`"cursor":${JSON.stringify(cursor)}`];
  }
  return tools;
}

function resultOf(reply: Reply, method: string): unknown {
  if (reply.error === undefined) return reply.result;
  const message = ownProperty(reply.error, "message");
  throw new NoAnswer(`${method} is answered with an error: ${JSON.stringify(message).slice(0, 200)}`);
}
