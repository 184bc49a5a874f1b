/**
 * An HTTP server on loopback with one tool, which notes the bearers that it gets.
 *
 * @module
 */

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

/** A site. */
export interface Site extends AsyncDisposable {
  /** Its URL. */
  readonly url: string;
  /** The values of `authorization` so far. */
  readonly bearers: () => ReadonlySet<string>;
}

/** Starts it. */
export function startSite(): Site {
  const bearers = new Set<string>();
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "site", version: "1" });
    server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "from the site" }] }));
    return server;
  }, { keepAliveMs: 0 });
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    bearers.add(request.headers.get("authorization") ?? "");
    return await handler.fetch(request);
  });
  return {
    url: `http://127.0.0.1:${http.addr.port}/mcp`,
    bearers: () => bearers,
    [Symbol.asyncDispose]: () => http.shutdown(),
  };
}
