/**
 * A server for the command line's tests: each tool gives another kind of result. What it receives is written to the
 * file that RECORD names, one method a line.
 *
 * @module
 */

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Transform } from "node:stream";
import process from "node:process";
import { z } from "zod";
import { advertiseSandboxState } from "../../../../core/sandbox/capability.ts";

const PIXEL = "iVBORw0KGgo=";

function create(): McpServer {
  const server = new McpServer({ name: "tools", version: "1" }, {
    capabilities: Deno.env.get("OPT_IN") === undefined
      ? { tools: {} }
      : { tools: {}, ...advertiseSandboxState() },
  });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("echo", {
    description: "Says what it gets\u001b[2J.\nIn two lines.",
    inputSchema: z.looseObject({ word: z.string().optional() }),
  }, (args) => text(JSON.stringify(args)));
  server.registerTool("lines", {}, () => text("one\ntwo\u001b[2J\n"));
  server.registerTool("fail", {}, () => ({ ...text("it broke\u001b[2J"), isError: true }));
  server.registerTool("meta", {}, (context) => text(JSON.stringify(context.mcpReq._meta ?? {})));
  server.registerTool("where", {}, () => text(process.cwd()));
  server.registerTool("structured", { outputSchema: z.object({ answer: z.number() }) }, () => ({
    content: [],
    structuredContent: { answer: 42 },
  }));
  server.registerTool("media", {}, () => ({
    content: [
      { type: "image" as const, data: PIXEL, mimeType: "image/png" },
      { type: "audio" as const, data: PIXEL, mimeType: "audio/wav" },
      { type: "resource" as const, resource: { uri: "file:///../../etc/passwd", text: "root" } },
      { type: "resource" as const, resource: { uri: "x:..%2F..%2Fevil.txt", blob: PIXEL } },
      { type: "resource_link" as const, uri: "https://example.invalid/\u001b[2J", name: "far" },
    ],
  }));
  server.registerTool("progress", {}, async (context) => {
    const token = context.mcpReq._meta?.progressToken;
    if (token === undefined) return text("nobody asks for progress");
    for (const progress of [1, 2]) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress, total: 4, message: "step\u001b[2J" },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    return text("done");
  });
  server.registerTool("hang", {}, async (context) => {
    record("hanging");
    await new Promise((resolve) => context.mcpReq.signal.addEventListener("abort", resolve));
    record("cancelled");
    return text("never");
  });
  return server;
}

function record(line: string): void {
  const path = Deno.env.get("RECORD");
  if (path !== undefined) Deno.writeTextFileSync(path, `${line}\n`, { append: true });
}

const recorder = new Transform({
  transform: (chunk: Uint8Array, _, done) => {
    for (const [, method = ""] of new TextDecoder().decode(chunk).matchAll(/"method":"([^"]+)"/g)) {
      record(method);
    }
    // a server that never lists its tools
    const lost = Deno.env.get("NEVER_LISTS") !== undefined &&
      new TextDecoder().decode(chunk).includes("tools/list");
    done(null, lost ? new Uint8Array() : chunk);
  },
});
serveStdio(create, { transport: new StdioServerTransport(process.stdin.pipe(recorder)) });
