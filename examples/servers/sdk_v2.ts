// A sandboxed tool on the second line of the MCP SDK, for both eras of the protocol.
import { createSandboxRunner, exactStdin } from "@codex-mcp/runtime/deno";
import {
  advertiseSandboxState,
  resultOf,
  SANDBOX_RESULT_SCHEMA,
  withAuthority,
} from "@codex-mcp/runtime/mcp";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const runner = createSandboxRunner();
const { stdin, sourceTexts } = exactStdin(); // what came, byte for byte
serveStdio(() => {
  const server = new McpServer({ name: "sdk-v2", version: "1.0.0" }, {
    capabilities: advertiseSandboxState(),
  });
  const inputSchema = z.object({ command: z.array(z.string()) });
  server.registerTool(
    "exec",
    { description: "Runs a command.", inputSchema, outputSchema: fromJsonSchema(SANDBOX_RESULT_SCHEMA) },
    withAuthority(async ({ command }, authority, { mcpReq: { signal } }) => {
      return resultOf(await runner.run(authority, command, { signal }));
    }, { transport: "stdio", server, sourceTexts }),
  );
  return server;
}, { transport: new StdioServerTransport(stdin) });
