import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { CAPTURES } from "../../../../fixtures/captures/mod.ts";
import { lastSent, serveInProcess } from "../in_process.ts";
import { threadRig } from "../thread_rig.ts";

const HOST = ["codex/sandbox-state", "codex/sandbox-state-meta", "codex/sandbox-launcher"];
const CODEX = "/opt/codex/bin/codex";

for (const { name, meta, optedIn } of CAPTURES) {
  const names = optedIn ? ["codex/sandbox-state", "codex/sandbox-state-meta"] : [null];
  for (const capability of names) {
    test(`a call carries what the capture ${name} carries, entry for entry (${capability ?? "no capability"})`, async () => {
      const server = serveInProcess((one) => one.registerTool("t", {}, () => ({ content: [] })), {
        legacy: true,
        transport: name.startsWith("http") ? "http" : "stdio",
        ...(capability === null ? {} : { capabilities: { experimental: { [capability]: {} } } }),
      });
      const rig = threadRig({ s: server });
      rig.launchers.add(CODEX);
      const state = meta["codex/sandbox-state"] ?? { permissionProfile: { type: "disabled" } };
      const thread = rig.open({ sandbox: { state, launcher: CODEX } });
      const others = Object.fromEntries(Object.entries(meta).filter(([key]) => !HOST.includes(key)));
      await thread.callTool("s", "t", {}, {
        meta: { ...others, "codex/sandbox-state": "stale", "codex/sandbox-launcher": "stale" } as never,
        onProgress: () => {},
      });
      const sent = (lastSent(server, "tools/call")["params"] as { _meta: Record<string, unknown> })._meta;
      // the number is the connection's own count, and some captures hold the state alone
      assertEquals({ ...sent, progressToken: 1 }, { threadId: thread.id, ...meta, progressToken: 1 });
    });
  }
}
