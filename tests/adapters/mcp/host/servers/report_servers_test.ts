import { assertEquals } from "@std/assert";
import { test } from "node:test";
import type { ConnectionState } from "../../../../../adapters/mcp/host/connect/server_connection.ts";
import {
  reportDisabled,
  reportLeft,
  reportSlot,
} from "../../../../../adapters/mcp/host/servers/report_servers.ts";
import type { ServerReport } from "../../../../../adapters/mcp/host/servers/server_report.ts";
import { ServerSlot } from "../../../../../adapters/mcp/host/servers/server_slot.ts";
import type { HttpEntry, ServerEntry } from "../../../../../core/configuration/entry.ts";
import { faultOf } from "../../../../../core/configuration/layers/fault.ts";
import type { ServerStatus } from "../../../../../core/enterprise/status/status.ts";
import { httpEntry } from "../connect/bench.ts";
import { stdioEntry } from "../thread_rig.ts";

const FACTS = {
  status: (): ServerStatus => ({ kind: "ready", until: null, extension: "advertised" }),
  protocol: (): string | null => null,
};

function slotOf(entry: ServerEntry, state: ConnectionState | null): ServerSlot {
  const connection = state === null ? null : { state: () => state, stderrTail: () => "a line" };
  return new ServerSlot(entry, { key: "", connection: connection as never });
}

test("an ordinary server: its state, what it speaks, why it failed and what it wrote", () => {
  const reason = { code: "SERVER_TIMEOUT", reason: "timeout", message: "late" } as const;
  const ready = slotOf(stdioEntry("s"), {
    kind: "ready",
    since: 0,
    protocol: "2025-11-25",
    era: "legacy",
    acceptsSandbox: true,
  });
  ready.tools = 3;
  assertEquals(reportSlot(ready, FACTS), {
    name: "s",
    kind: "stdio",
    transport: "stdio",
    environment: "local",
    enabled: true,
    state: "ready",
    era: "legacy",
    protocol: "2025-11-25",
    acceptsSandbox: true,
    auth: "none",
    enterprise: null,
    tools: 3,
    reason: null,
    faults: [],
    stderr: "a line",
  });
  const failed = reportSlot(slotOf(stdioEntry("s"), { kind: "waiting", until: 9, reason }), FACTS);
  assertEquals([failed.state, failed.reason, failed.acceptsSandbox], [
    "waiting",
    { code: "SERVER_TIMEOUT", message: "late" },
    null,
  ]);
  const off = reportSlot(slotOf(stdioEntry("s", { enabled: false }), null), FACTS);
  assertEquals([off.enabled, off.state], [false, "disabled"]);
});

test("how a server is told who we are", () => {
  const auth = (changes: Partial<HttpEntry>): string =>
    reportSlot(slotOf(httpEntry({ url: "http://127.0.0.1/", ...changes }), { kind: "idle" }), FACTS).auth;
  assertEquals([
    auth({}),
    auth({ bearerTokenEnvVar: "T", headers: { a: "b" } }),
    auth({ headers: { a: "b" } }),
    auth({ envHeaders: { a: "B" } }),
    auth({ auth: "oauth" }),
  ], ["none", "bearer", "headers", "headers", "oauth-unsupported"]);
});

test("an enterprise server: connected, or only signed in, or why not", () => {
  const entry = {
    ...stdioEntry("e"),
    kind: "enterprise",
    server: { provider: "idp" },
  } as unknown as ServerEntry;
  const of = (status: ServerStatus, protocol: string | null): readonly unknown[] => {
    const { state, era, reason, auth, transport } = reportSlot(slotOf(entry, null), {
      status: () => status,
      protocol: () => protocol,
    });
    return [state, era, reason?.code ?? null, auth, transport];
  };
  const fine = FACTS.status();
  assertEquals(of(fine, "2026-07-28"), ["ready", "modern", null, "enterprise", "http"]);
  assertEquals(of(fine, "2025-11-25"), ["ready", "legacy", null, "enterprise", "http"]);
  assertEquals(of(fine, null), ["idle", null, null, "enterprise", "http"]);
  assertEquals(of({ kind: "signed-out", because: "expired" }, null), [
    "failed",
    null,
    "signed-out",
    "enterprise",
    "http",
  ]);
});

test("a server at fault says which rule it breaks, and where", () => {
  const layer = { kind: "user", source: "/home/u/config.toml" } as const;
  const fault = {
    ...faultOf("FIELD_TYPE", { path: ["mcp_servers", "bad", "command"], layer, state: "a text is needed" }),
    line: 12,
  };
  const report = reportDisabled({ name: "bad", faults: [fault] });
  assertEquals([report.state, report.enabled, report.kind, report.reason, report.faults], [
    "disabled",
    true,
    null,
    {
      code: "FIELD_TYPE",
      message: "/home/u/config.toml:12: Cannot use mcp_servers.bad.command: a text is needed",
    },
    [fault],
  ]);
});

test("a thread that is closed leaves its own connections closed, and the host's as they are", () => {
  const enterprise = {
    kind: "enterprise",
    state: "ready",
    era: "modern",
    protocol: "2026-07-28",
  } as ServerReport;
  assertEquals(reportLeft(enterprise), { ...enterprise, state: "closed", era: null, protocol: null });
  const disabled = { ...enterprise, state: "disabled" } as const;
  const ordinary = { ...enterprise, kind: "http" } as const;
  assertEquals([reportLeft(disabled), reportLeft(ordinary)], [disabled, ordinary]);
});
