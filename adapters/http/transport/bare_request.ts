/**
 * A request of MCP 2026-07-28 without authorization, and with nothing secret in it: what a server answers tells
 * whether it is there, and in its challenge where its metadata is.
 *
 * MCP 2026-07-28, transports and authorization; MCP EMA (stable), 6.
 *
 * @module
 */

import { declareEnterpriseExtension, EXTENSIONS_SINCE } from "../../../core/enterprise/extension.ts";
import type { HttpRequest } from "../../../core/ports/http.ts";

/** How much of the answer is worth reading, in bytes: its status and its header fields are what counts. */
export const BARE_ANSWER_BYTES = 65_536;

/** A `tools/list` for the server at `url`, from a client of this `version`. */
export function bareRequest(url: string, { version }: { readonly version: string }): HttpRequest {
  const _meta = declareEnterpriseExtension({
    "io.modelcontextprotocol/protocolVersion": EXTENSIONS_SINCE,
    "io.modelcontextprotocol/clientInfo": { name: "codex-mcp", version },
  });
  return {
    method: "POST",
    url,
    headers: [
      ["accept", "application/json, text/event-stream"],
      ["content-type", "application/json"],
      ["mcp-protocol-version", EXTENSIONS_SINCE],
      ["mcp-method", "tools/list"],
    ],
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } }),
  };
}
