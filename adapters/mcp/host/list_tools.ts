/**
 * Asking a server for its tools, all pages, whatever a cache holds. What may be kept of the answer is decided in
 * `core/catalog`.
 *
 * @module
 */

import type { ListToolsResult } from "@modelcontextprotocol/client";
import { LONGEST_WAIT_MS } from "../../sandbox/end_group.ts";
import { callError } from "./call_error.ts";
import type { OpenConnection } from "./connect/server_connection.ts";

/**
 * The answer of a server. A server without tools is not asked.
 *
 * @throws {HostError} `PROTOCOL_ERROR` when the answer is an error, or none that the protocol allows.
 * @throws {HostError} `SERVER_UNAVAILABLE` when the server refuses to answer.
 * @throws {HostError} `CONNECTION_LOST` when the connection went away.
 */
export async function listTools(
  { client, capabilities }: OpenConnection,
  { server, signal }: { readonly server: string; readonly signal: AbortSignal },
): Promise<ListToolsResult> {
  if (capabilities.tools === undefined) return { tools: [] };
  try {
    // a client that was closed knows of no tools, and would say that there are none
    if (client.getServerCapabilities() === undefined) throw new Error("Not connected");
    return await client.listTools(undefined, { signal, timeout: LONGEST_WAIT_MS, cacheMode: "refresh" });
  } catch (error) {
    throw callError(error, { server, tool: null, fromOutside: true });
  }
}
