import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { connectFinding } from "../../../../adapters/cli/doctor/connect.ts";
import type { ServerRow } from "../../../../adapters/cli/servers/server_row.ts";

const ROW = {
  name: "a",
  kind: "stdio",
  protocol: "2026-07-28",
  era: "modern",
  tools: 1,
  reason: null,
} as ServerRow;

test("a server that is connected says what it speaks and offers", () => {
  assertEquals(connectFinding(ROW), {
    id: "connect",
    subject: "a",
    status: "ok",
    found: "it speaks 2026-07-28, and offers 1 tool",
  });
  assertEquals(connectFinding({ ...ROW, tools: 2 }).found.endsWith("2 tools"), true);
});

test("one that is not has its code and a fix, but where the message has one itself", () => {
  const failed = (code: string, message: string, kind: ServerRow["kind"] = "http") =>
    connectFinding({ ...ROW, kind, reason: { code, message } });
  assertEquals(failed("SERVER_TIMEOUT", "It is late."), {
    id: "connect",
    subject: "a",
    status: "failed",
    code: "SERVER_TIMEOUT",
    found: "It is late",
    fix: "find out what it waits for, or raise its startup_timeout_sec; then run: codex-mcp doctor",
  });
  assertEquals(failed("CONNECTION_LOST", "m", "stdio").fix?.endsWith("codex-mcp servers --stderr"), true);
  const out = failed("signed-out", "Signed out. It is over. Run: codex-mcp login");
  assertEquals([out.found, out.fix], ["Signed out. It is over", "run: codex-mcp login"]);
  const client = failed("client-refused", "It refused. Check client_id; run: codex-mcp doctor a --connect");
  assertEquals(client.fix, "check client_id; run: codex-mcp doctor a --connect");
  assertEquals(failed("CLIENT_REFUSED", "m").fix?.startsWith("compare client_id, its credential"), true);
  assertEquals(failed("SCOPE_REFUSED", "m").fix?.startsWith("correct the scopes of mcp_servers.a,"), true);
});
