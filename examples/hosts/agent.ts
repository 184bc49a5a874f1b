// A scripted agent: a sandboxed tool on this machine, an enterprise tool, and what a change of the account does.
import { buildSandboxState } from "@codex-mcp/runtime";
import { createHost } from "@codex-mcp/runtime/deno/host";

const [codex = "", idToken = ""] = (await new Response(Deno.stdin.readable).text()).split("\n");
const host = await createHost({ ownerFrom: "host" }); // Codex's own configuration; nothing is connected yet
host.events.subscribe(({ kind }) => console.log("event:", kind));
const directory = Deno.cwd();
const state = buildSandboxState("read-only", { directory, linuxSandboxExecutable: codex });
const tokens = { refreshToken: null, idToken, idTokenExpiresAt: Date.now() / 1000 + 300 };
// the program's own sign-in; without one, the grant that a sign-in left in the keyring is used
const identity = { tokens: () => Promise.resolve(tokens), rotated: () => Promise.resolve() };
const thread = host.openThread({
  account: { user: "alice", workspace: "acme", identity },
  sandbox: { state, launcher: codex, workspace: directory },
});

const local = thread.callTool("exec", "exec", { command: ["sh", "-c", "echo no > note.txt"] });
console.log("sandboxed:", (await local).structuredContent, local.authority); // printed: sizes and digests only
console.log("enterprise:", (await thread.callTool("notes", "whoami")).content);
thread.setAccount({ user: "bob", workspace: "acme" }); // from here on nothing of alice's is used
const refused = await thread.callTool("notes", "whoami").result.catch((error) => error);
console.log("refused:", refused.code, refused.message);
await host.close();
