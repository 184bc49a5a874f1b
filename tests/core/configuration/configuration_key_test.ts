import { test } from "node:test";
import { assertEquals, assertNotEquals } from "@std/assert";
import { configurationKey, connectionKey } from "../../../core/configuration/configuration_key.ts";
import type { ServerEntry } from "../../../core/configuration/entry.ts";
import { readServers } from "../../../core/configuration/servers.ts";
import { layer, workingValues } from "../enterprise/config/layers.ts";

function entry(fields: Record<string, unknown>, source = "user.toml"): ServerEntry {
  const [server] = readServers([layer({ mcp_servers: { s: fields } }, { source })]).servers;
  if (server === undefined) throw new Error("The entry is refused");
  return server;
}

const base = { command: "x", args: ["a", "b"], env: { A: "1", B: "2" } };

test("configurationKey: the order of tables, the file and unknown fields do not matter", () => {
  const key = configurationKey(entry(base));
  assertEquals(
    configurationKey(entry({ env: { B: "2", A: "1" }, args: ["a", "b"], command: "x" }, "other.toml")),
    key,
  );
  assertEquals(configurationKey(entry({ ...base, colour: 1 })), key);
  assertEquals(configurationKey(entry({ ...base, startup_timeout_sec: 30 })), key);
});

test("configurationKey: everything else does, also names that look like ours", () => {
  const changes: readonly Record<string, unknown>[] = [
    { command: "y" },
    { args: ["b", "a"] },
    { args: ["a,b"] },
    { env: { A: "1" } },
    { env: { A: "1", B: "2", layer: "x" } },
    { env: { A: "1", B: "2", unknown: "x" } },
    { env: { A: "1", B: "2", ["__proto__"]: "x" } },
    { env_vars: ["C"] },
    { cwd: "/" },
    { environment_id: "box" },
    { protocol: "legacy" },
    { enabled: false },
    { enabled_tools: [] },
    { disabled_tools: ["t"] },
    { startup_timeout_sec: 1 },
    { tool_timeout_sec: 1 },
  ];
  const keys = [base, ...changes.map((change) => ({ ...base, ...change }))].map((one) =>
    configurationKey(entry(one))
  );
  assertEquals(new Set(keys).size, keys.length);
});

test("connectionKey: what only calls depend on does not matter", () => {
  const key = connectionKey(entry(base));
  const calls = {
    enabled: false,
    enabled_tools: ["a"],
    disabled_tools: ["b"],
    startup_timeout_sec: 1,
    tool_timeout_sec: 1,
  };
  assertEquals(connectionKey(entry({ ...base, ...calls })), key);
  assertNotEquals(connectionKey(entry({ ...base, cwd: "/" })), key);
});

test("configurationKey: an enterprise server by its registration, not by its layer", () => {
  const values = workingValues();
  const key = (kind: "user" | "system", change: Record<string, unknown> = {}): string => {
    const tracker = { ...values.mcp_servers["tracker"], ...change };
    const [server] = readServers([layer({ ...values, mcp_servers: { tracker } }, { kind })]).servers;
    return server === undefined ? "refused" : configurationKey(server);
  };
  assertEquals(key("system"), key("user"));
  assertNotEquals(key("user", { scopes: ["a"] }), key("user"));
  assertNotEquals(key("user", { oauth: { client_id: "other" } }), key("user"));
});
