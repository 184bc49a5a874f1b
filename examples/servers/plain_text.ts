// A server that was there before, made to honour the policy of each call. What it answers is what it was: text.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createSandboxRunner, exactStdin } from "@codex-mcp/runtime/deno"; // on Node: "@codex-mcp/runtime/node"
import { advertiseSandboxState, withAuthority } from "@codex-mcp/runtime/mcp";
import { z } from "zod";

const runner = createSandboxRunner();
const { stdin, sourceTexts } = exactStdin(); // 4
const server = new McpServer({ name: "run", version: "1.0.0" }, { capabilities: advertiseSandboxState() }); // 1
server.registerTool(
  "run",
  { description: "Runs a command.", inputSchema: { command: z.array(z.string()) } },
  withAuthority( // 2
    async ({ command }: { command: string[] }, authority, { signal }: { signal: AbortSignal }) => {
      const { exitCode, stdout, stderr } = await runner.run(authority, command, { signal }); // 3
      const text = exitCode === 0 ? stdout : stdout + stderr;
      return { isError: exitCode !== 0, content: [{ type: "text" as const, text }] };
    },
    { transport: "stdio", server, sourceTexts },
  ),
);
stdin.once("end", () => server.close()); // 4
await server.connect(new StdioServerTransport(stdin)); // 4
