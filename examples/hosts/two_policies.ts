// A host that makes the same call twice, and whose policy changes in between.
import { buildSandboxState } from "@codex-mcp/runtime";
import { createHost } from "@codex-mcp/runtime/deno/host";
import { fileConfiguration } from "@codex-mcp/runtime/host";

const [file = ".mcp.json", codex = ""] = Deno.args; // the configuration, the real path of a Codex CLI
const workspace = Deno.cwd();
const host = await createHost({ configuration: fileConfiguration(file) });
const thread = host.openThread();
const turns = [
  { mode: "workspace-write", writableRoots: [workspace, "/tmp"] },
  { mode: "read-only", writableRoots: [] },
] as const;

for (const { mode, writableRoots } of turns) {
  const state = buildSandboxState(mode, { directory: workspace, linuxSandboxExecutable: codex });
  thread.setSandbox({ state, launcher: codex, workspace, writableRoots });
  const command = ["sh", "-c", "echo written > note.txt && cat note.txt"];
  const { structuredContent, content } = await thread.callTool("server", "exec", { command });
  console.log(`${mode}:`, structuredContent ?? content); // a refusal has a text alone
}
await host.close();
