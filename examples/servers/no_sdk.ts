// A sandboxed tool without any SDK: MCP 2025-06-18 over stdio, line by line.
import { createSandboxRunner, exactStdin } from "@codex-mcp/runtime/deno";
import { advertiseSandboxState, authorityOf, refusalOf, resultOf } from "@codex-mcp/runtime/mcp";

interface Message {
  readonly id?: string | number;
  readonly method: string;
  readonly params: { readonly requestId: string; readonly arguments: { readonly command: string[] } };
}

const runner = createSandboxRunner();
const { stdin, sourceTexts } = exactStdin(); // what came, byte for byte
const capabilities = { tools: {}, ...advertiseSandboxState() };
const inputSchema = { type: "object", properties: { command: { type: "array", items: { type: "string" } } } };
const running = new Map<unknown, AbortController>();

async function answer({ id, method, params }: Message): Promise<object> {
  if (method === "initialize") {
    return { protocolVersion: "2025-06-18", capabilities, serverInfo: { name: "no-sdk", version: "1.0.0" } };
  }
  if (method === "tools/list") return { tools: [{ name: "exec", inputSchema }] };
  if (method !== "tools/call") throw new Error("Method not found");
  const { signal } = running.set(id, new AbortController()).get(id)!;
  try {
    const authority = authorityOf({ id, params }, { transport: "stdio", sourceTexts });
    return resultOf(await runner.run(authority, params.arguments.command, { signal }));
  } catch (error) {
    return refusalOf(error) ?? Promise.reject(error);
  }
}

async function receive(message: Message): Promise<void> {
  const { id, method, params } = message;
  if (method === "notifications/cancelled") running.get(params.requestId)?.abort();
  if (id === undefined) return;
  const reply = await answer(message).then(
    (result) => ({ result }),
    ({ message }) => ({ error: { code: -32601, message } }),
  );
  if (running.get(id)?.signal.aborted !== true) {
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
  }
  running.delete(id);
}

for await (const line of stdin) void receive(JSON.parse(line.toString())); // a chunk is a whole message
await runner.close();
