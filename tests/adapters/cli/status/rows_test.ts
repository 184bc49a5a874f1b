import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { loadOffline } from "../../../../adapters/cli/program/load_configuration.ts";
import { knownServers } from "../../../../adapters/cli/status/rows.ts";
import { runtimeOf } from "../cli_process.ts";
import { POLICY } from "../enterprise/policy.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 60_000 };
const ORDINARY = '[mcp_servers.b]\ncommand = "sh"\n[mcp_servers.a]\ncommand = 7\n';

test("without enterprise servers no keyring is opened", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(ORDINARY);
  const runtime = runtimeOf({ environment: stage.environment });
  const { rows, facts } = await knownServers(runtime, await loadOffline(runtime, { value: () => undefined }));
  assertEquals(rows.map(({ name, status }) => `${name} ${status.kind}`), ["a disabled", "b configured"]);
  assertEquals(facts.size, 0);
});

test("with one its sign-in is looked at", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(POLICY, ORDINARY);
  let opened = 0;
  const openSecrets = () => Promise.reject(new Error(`opened ${opened += 1}`));
  const runtime = runtimeOf({ environment: stage.environment, openSecrets });
  const loaded = await loadOffline(runtime, { value: () => undefined });
  await assertRejects(() => knownServers(runtime, loaded), Error, "opened 1");
});
