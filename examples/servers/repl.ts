// A JavaScript REPL that lives on between calls, in the sandbox of the call that started it.
import { AuthoritySessions, createSandboxRunner, exactStdin } from "@codex-mcp/runtime/deno";
import { advertiseSandboxState, threadOf, withAuthority } from "@codex-mcp/runtime/mcp";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const command = ["env", "NO_COLOR=1", Deno.execPath(), "repl", "--quiet", "--no-config", "-A"];
const sessions = new AuthoritySessions(createSandboxRunner(), { maxSessions: 8 });
const { stdin, sourceTexts } = exactStdin(); // what came, byte for byte
const connection = crypto.randomUUID();
stdin.once("end", () => sessions.close()); // else a REPL would keep the server

serveStdio(() => {
  const server = new McpServer({ name: "repl", version: "1.0.0" }, { capabilities: advertiseSandboxState() });
  const inputSchema = z.object({
    code: z.string().describe("A line of JavaScript."),
    repl: z.string().optional().describe("The REPL to go on with; absent: a new one."),
  });
  const outputSchema = z.object({ repl: z.string(), output: z.string() });
  server.registerTool(
    "evaluate",
    { description: "Evaluates code in a REPL that stays.", inputSchema, outputSchema },
    withAuthority(async ({ code, repl }, authority, context) => {
      const use = { authority, thread: threadOf(context) ?? connection }; // the host's word, never an argument's
      const session = repl === undefined
        ? await sessions.start(use, { command })
        : sessions.find(repl, use.thread);
      const { stdout, stderr } = await session.send(use, `${code}\n`, { waitMs: 10_000 });
      const result = { repl: session.id, output: stdout + stderr };
      return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
    }, { transport: "stdio", server, sourceTexts }),
  );
  return server;
}, { transport: new StdioServerTransport(stdin) });
