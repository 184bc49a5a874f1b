// A sandboxed tool on the first line of the MCP SDK.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createSandboxRunner, exactStdin } from "@codex-mcp/runtime/deno";
import { advertiseSandboxState, resultOf, withAuthority } from "@codex-mcp/runtime/mcp";
import { z } from "zod";

const runner = createSandboxRunner();
const { stdin, sourceTexts } = exactStdin(); // what came, byte for byte
const server = new McpServer({ name: "sdk-v1", version: "1.0.0" }, { capabilities: advertiseSandboxState() });
server.registerTool(
  "exec",
  { description: "Runs a command.", inputSchema: { command: z.array(z.string()) } },
  withAuthority(
    async ({ command }: { command: string[] }, authority, { signal }: { signal: AbortSignal }) => {
      return resultOf(await runner.run(authority, command, { signal }));
    },
    { transport: "stdio", server, sourceTexts },
  ),
);
stdin.once("end", () => server.close()); // this line of the SDK does not, and the command would go on
await server.connect(new StdioServerTransport(stdin));
