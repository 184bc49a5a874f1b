import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { ordinaryRow, refusedOrdinaryRow } from "../../../../adapters/cli/status/ordinary.ts";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import { readServers } from "../../../../core/configuration/servers.ts";

/** The servers of a configuration. */
function read(mcp_servers: Readonly<Record<string, unknown>>) {
  return readServers([{ kind: "user", source: "/c.toml", values: { mcp_servers }, codexFile: true }]);
}

/** The row of the only server, which can be used. */
function rowOf(table: object, environment: Readonly<Record<string, string>> = {}) {
  const [entry] = read({ a: table }).servers;
  return ordinaryRow(entry as StdioEntry | HttpEntry, environment);
}

test("what the configuration and the variables say", () => {
  const url = "https://a.invalid/?key=s3cr3t";
  const rows = [
    [{ command: "sh", env: { A: "s3cr3t" } }, "stdio", "none", "configured", 0],
    [{ url }, "http", "none", "configured", 0],
    [{ url, http_headers: { "x-key": "s3cr3t" } }, "http", "headers", "configured", 0],
    [{ url, env_http_headers: { "x-key": "A" } }, "http", "headers", "configured", 0],
    [{ url, auth: "oauth" }, "http", "oauth-unsupported", "configured", 0],
    [{ url, bearer_token_env_var: "TOKEN" }, "http", "bearer", "configured", 0],
    [{ url, bearer_token_env_var: "OTHER" }, "http", "bearer", "credential-missing", 3],
    [{ url, bearer_token_env_var: "EMPTY" }, "http", "bearer", "credential-missing", 3],
    [{ command: "sh", enabled: false }, "stdio", "none", "configured", 0],
  ] as const;
  for (const [table, kind, auth, status, exitCode] of rows) {
    const row = rowOf(table, { TOKEN: "s3cr3t", EMPTY: "" });
    assertEquals([row.kind, row.auth, row.status.kind, row.exitCode], [kind, auth, status, exitCode]);
    const off = "enabled" in table;
    assertEquals([row.enabled, row.next], [!off, off ? null : "codex-mcp tools a"]);
    assert(!JSON.stringify(row).includes("s3cr3t"));
  }
  const missing = rowOf({ url, bearer_token_env_var: "OTHER" }).message;
  assertEquals(
    missing,
    'The variable "OTHER", which holds its bearer token, is not set. Set it, then run: codex-mcp tools a',
  );
});

test("a fault is told with its file, and the command that looks again", () => {
  const [disabled] = read({ a: { command: 7 } }).disabled;
  const row = refusedOrdinaryRow(disabled!);
  assertEquals([row.status.kind, row.exitCode, row.next], ["disabled", 3, "codex-mcp status"]);
  assertEquals(
    row.message,
    "/c.toml: Cannot use mcp_servers.a.command: it must be a string. Correct it and run: codex-mcp status",
  );
});
