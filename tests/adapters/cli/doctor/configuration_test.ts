import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { configurationFindings, faultFinding } from "../../../../adapters/cli/doctor/configuration.ts";
import { readServers } from "../../../../core/configuration/servers.ts";

function read(values: Readonly<Record<string, unknown>>) {
  return readServers([{ kind: "user", source: "/c.toml", values, codexFile: true }]);
}

test("a server at fault is failed with code, place and fix, and not told twice", () => {
  const configuration = read({ mcp_servers: { bad: { command: 7 }, good: { command: "sh" } } });
  const finding = faultFinding(configuration.disabled[0]!);
  assertEquals([finding.id, finding.subject, finding.status, finding.code], [
    "server",
    "bad",
    "failed",
    "FIELD_TYPE",
  ]);
  assertMatch(finding.found, /^\/c\.toml: Cannot use mcp_servers\.bad\.command/);
  assertEquals(finding.fix, "correct it, then run: codex-mcp doctor");
  const twice = read({ mcp_servers: { bad: { command: 7, args: 7 } } }).disabled[0]!;
  assertMatch(faultFinding(twice).found, /mcp_servers\.bad\.command.*mcp_servers\.bad\.args/);
  assertEquals(configurationFindings(configuration), [
    { id: "configuration", status: "ok", found: "2 servers are configured" },
  ]);
});

test("a fault that is no single server's, a warning, and nothing at all", () => {
  const [fault] = configurationFindings(read({ mcp_enterprise_managed_auth: { idp: { issuer: 7 } } }));
  assertEquals([fault?.status, fault?.code === undefined], ["failed", false]);
  const [warned] = configurationFindings(read({ mcp_servers: { a: { command: "sh", unheard_of: 1 } } }));
  assertMatch(warned?.found ?? "", /^1 server is configured; to be changed: .*unheard_of/);
  assertEquals(configurationFindings(read({ model: "x" })), []);
});
