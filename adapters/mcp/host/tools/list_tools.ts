/**
 * Asking a server for its tools, all pages, whatever a cache holds, and what each page says about being kept. What is
 * kept is decided in `core/catalog`.
 *
 * @module
 */

import type { Tool } from "@modelcontextprotocol/client";
import type { CatalogHints } from "../../../../core/catalog/lifetime.ts";
import { callError } from "../call/error.ts";
import { HostClient } from "../client/host_client.ts";
import type { OpenConnection } from "../connect/server_connection.ts";

/** What a server answered. */
export interface ToolPages {
  /** The tools of all pages. */
  readonly tools: readonly Tool[];
  /** What each page says about being kept, in their order. */
  readonly hints: readonly CatalogHints[];
}

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
): Promise<ToolPages> {
  if (capabilities.tools === undefined) return { tools: [], hints: [{}] };
  try {
    // a client that was closed knows of no tools, and would say that there are none
    if (client.getServerCapabilities() === undefined) throw new Error("Not connected");
    if (!(client instanceof HostClient)) throw new TypeError("A host lists with clients of its own");
    return await client.listPages(signal);
  } catch (error) {
    throw callError(error, { server, tool: null, fromOutside: true });
  }
}
