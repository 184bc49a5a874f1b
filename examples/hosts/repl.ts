// A host whose thread keeps a REPL, and what becomes of it when another thread or another policy comes.
import { buildSandboxState, type SandboxMode } from "@codex-mcp/runtime";
import { createHost } from "@codex-mcp/runtime/deno/host";
import { fileConfiguration, type JsonObject, type Thread, type TurnSandbox } from "@codex-mcp/runtime/host";

const [file = ".mcp.json", codex = ""] = Deno.args; // the configuration, the real path of a Codex CLI
const workspace = Deno.cwd();
const host = await createHost({ configuration: fileConfiguration(file) });

function sandbox(mode: SandboxMode): TurnSandbox {
  const state = buildSandboxState(mode, { directory: workspace, linuxSandboxExecutable: codex });
  return { state, launcher: codex, workspace, writableRoots: [workspace, "/tmp"] };
}

async function evaluate(thread: Thread, args: JsonObject): Promise<unknown> {
  const { structuredContent, content } = await thread.callTool("server", "evaluate", args);
  console.log(`> ${args.code}`, structuredContent ?? content); // a refusal has a text alone
  return structuredContent;
}

const thread = host.openThread({ sandbox: sandbox("read-only") });
const { repl } = await evaluate(thread, { code: "let x = 41" }) as { repl: string };
await evaluate(thread, { code: "x + 1", repl });
await evaluate(thread, { code: 'Deno.writeTextFileSync("note.txt", "no")', repl });
console.log("# another thread, with the same policy");
const other = host.openThread({ sandbox: sandbox("read-only") });
await evaluate(other, { code: "x + 1", repl });
console.log("# its own thread, with another policy: the REPL is ended");
thread.setSandbox(sandbox("workspace-write"));
await evaluate(thread, { code: "x + 1", repl });
console.log("# its own thread, with the first policy again");
thread.setSandbox(sandbox("read-only"));
await evaluate(thread, { code: "x + 1", repl });
await host.close();
