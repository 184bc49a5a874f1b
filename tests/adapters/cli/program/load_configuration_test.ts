import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { loadOffline } from "../../../../adapters/cli/program/load_configuration.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 60_000 };
const flags = { value: () => undefined };

test("every server of every kind is read", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure('[mcp_servers.a]\ncommand = "sh"\n[mcp_servers.b]\ncommand = 7\n');
  const runtime = { environment: stage.environment, platform: "linux" } as const;
  const { configuration } = await loadOffline(runtime, flags);
  assertEquals(configuration.servers.map(({ name }) => name), ["a"]);
  assertEquals(configuration.disabled.map(({ name, faults: [{ line }] }) => [name, line]), [["b", 4]]);
});

test("what cannot be read is an error with its file", limit, async () => {
  await using stage = await Stage.create();
  const runtime = { environment: stage.environment, platform: "linux" } as const;
  await stage.configure('a = "hush');
  const refused = await assertRejects(() => loadOffline(runtime, flags), EnterpriseError);
  assertEquals([refused.code, refused.reason], ["CONFIGURATION_REFUSED", "FILE_MALFORMED"]);
  assertMatch(refused.message, /^\/.+\/config\.toml:1: /);
  assert(!refused.message.includes("hush"));
  const missing = { value: () => "/nowhere/x.toml" };
  const unavailable = await assertRejects(() => loadOffline(runtime, missing), EnterpriseError);
  assertEquals([unavailable.code, unavailable.reason], ["CONFIGURATION_UNAVAILABLE", "ENOENT"]);
});
