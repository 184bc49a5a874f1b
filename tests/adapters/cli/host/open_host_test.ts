import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withHost } from "../../../../adapters/cli/host/open_host.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { HostError } from "../../../../core/errors.ts";
import { runtimeOf } from "../cli_process.ts";
import { Stage } from "./stage.ts";

const limit = { timeout: 60_000 };

/** Opens a host on `stage` and closes it. */
async function namesOn(stage: Stage, file?: string): Promise<readonly string[]> {
  const use = {
    flags: { value: (name: string) => name === "config" ? file : undefined },
    directory: stage.workspace,
  };
  return await withHost(
    runtimeOf({ environment: stage.environment }),
    use,
    (host) => Promise.resolve(host.servers().map(({ name, state }) => `${name} ${state}`)),
  );
}

test("Codex's own configuration, or the file that is named in its place", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure('[mcp_servers.own]\ncommand = "sh"\n');
  assertEquals(await namesOn(stage), ["own idle"]);
  const file = join(stage.home, "other.json");
  await writeFile(file, '{"mcpServers": {"named": {"command": "sh"}}}', { mode: 0o600 });
  assertEquals(await namesOn(stage, file), ["named idle"]);
});

test("a project's servers are used when the user trusts it", limit, async () => {
  await using stage = await Stage.create();
  await mkdir(join(stage.workspace, ".codex"));
  await writeFile(join(stage.workspace, ".codex/config.toml"), '[mcp_servers.theirs]\ncommand = "sh"\n');
  assertEquals(await namesOn(stage), ["theirs disabled"]);
  await stage.configure(`[projects.${JSON.stringify(stage.workspace)}]\ntrust_level = "trusted"\n`);
  assertEquals(await namesOn(stage), ["theirs idle"]);
});

test("a file that cannot be used is told with its line, one that is missing by its name", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure('[mcp_servers.a]\ntoken = "hush');
  const error = await assertRejects(() => namesOn(stage), HostError);
  assertEquals(error.code, "CONFIGURATION_INVALID");
  assertMatch(error.message, /^\/.+\/config\.toml:2: /);
  assert(!error.message.includes("hush"));
  const missing = await assertRejects(() => namesOn(stage, "/nowhere/x.toml"), EnterpriseError);
  assertEquals(missing.code, "CONFIGURATION_UNAVAILABLE");
  assertMatch(missing.message, /^Cannot read the configuration "\/nowhere\/x\.toml": /);
});

test("the host is closed, whatever the work does", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("good"));
  let late: Promise<unknown> = Promise.resolve();
  const work = withHost(
    runtimeOf({ environment: stage.environment }),
    { flags: { value: () => undefined }, directory: stage.workspace },
    async (host) => {
      await host.connect();
      late = Promise.resolve().then(() => host.openThread());
      await late;
      late = host.openThread().callTool("good", "hang").result;
      late.catch(() => undefined);
      throw new TypeError("own");
    },
  );
  await assertRejects(() => work, TypeError, "own");
  assertEquals((await assertRejects(() => late, HostError)).code, "HOST_CLOSED");
});
