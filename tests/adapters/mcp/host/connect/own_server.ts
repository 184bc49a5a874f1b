/**
 * Servers of both lines of the SDK over stdio, in the file of the test itself: it starts itself again with a variable
 * that says which, so that it runs on any runtime, bundled or not.
 *
 * @module
 */

import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport as StdioV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { StdioEntry } from "../../../../../core/configuration/entry.ts";
import { stdioEntry } from "./bench.ts";

/** Which server. */
export type OwnServer = "v1" | "v2" | "v2-slow";

const VARIABLE = "OWN_SERVER";

/** Serves when this process was started as a server; else `false`. */
export async function serveWhenAsked(): Promise<boolean> {
  const which = process.env[VARIABLE];
  if (which === undefined) return false;
  if (which === "v1") await serveV1();
  if (which === "v2-slow") await new Promise((resolve) => setTimeout(resolve, 3_000));
  if (which.startsWith("v2")) serveStdio(createV2);
  return true;
}

async function serveV1(): Promise<void> {
  const server = new ServerV1({ name: "v1", version: "1" });
  server.registerTool("environment", { description: "What it got" }, () => text(process.env));
  server.registerTool("change", { description: "Changes the tools" }, () => {
    server.sendToolListChanged();
    return text("changed");
  });
  await server.connect(new StdioV1());
}

function createV2(): McpServer {
  const server = new McpServer({ name: "v2", version: "1" });
  server.registerTool("environment", { description: "What it got" }, () => text(process.env));
  server.registerTool("change", { description: "Changes the tools" }, () => {
    server.sendToolListChanged();
    return text("changed");
  });
  return server;
}

function text(value: unknown): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}

/** How the server is started; `file` is `import.meta.url` of the test. */
export function ownEntry(file: string, { which, entry = {} }: {
  readonly which: OwnServer;
  readonly entry?: Partial<StdioEntry>;
}): StdioEntry {
  const root = process.env["CODEX_MCP_REPOSITORY"] ?? process.cwd();
  const flags = "Deno" in globalThis
    ? ["run", "-A", "--no-lock", "--no-check", "--config", `${root}/deno.json`]
    : [];
  return stdioEntry({
    command: process.execPath,
    args: [...flags, fileURLToPath(file)],
    ...entry,
    env: { [VARIABLE]: which, ...entry.env },
  });
}
