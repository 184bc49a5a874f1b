import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { withHost } from "../../../../adapters/cli/host/open_host.ts";
import { survey } from "../../../../adapters/cli/servers/survey.ts";
import { runtimeOf } from "../cli_process.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 120_000 };
const flags = { value: () => undefined };

test("a server that connects and never lists is given up, and delays no other", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(
    stage.server("good"),
    stage.server("mute", { env: { NEVER_LISTS: "1" } }),
    '[mcp_servers.gone]\ncommand = "/nowhere"\n[mcp_servers.off]\ncommand = "sh"\nenabled = false\n',
  );
  const { signal } = new AbortController();
  const rows = await withHost(
    runtimeOf({ environment: stage.environment }),
    { flags, directory: stage.workspace },
    (host) => survey(host, { signal, listMs: 1_000 }),
  );
  assertEquals(rows.map(({ name, state, tools, reason }) => [name, state, tools, reason?.code ?? null]), [
    ["good", "ready", 9, null],
    ["mute", "ready", null, "CALL_TIMEOUT"],
    ["gone", "failed", null, "SERVER_UNAVAILABLE"],
    ["off", "disabled", null, null],
  ]);
});

test("only the servers that are named are asked and told", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("good"), stage.server("other"));
  const { signal } = new AbortController();
  const rows = await withHost(
    runtimeOf({ environment: stage.environment }),
    { flags, directory: stage.workspace },
    (host) => survey(host, { signal, names: ["good"] }),
  );
  assertEquals([rows.map(({ name, state }) => [name, state]), await stage.recorded("other")], [
    [["good", "ready"]],
    [],
  ]);
});

test("an interruption ends it", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("mute", { env: { NEVER_LISTS: "1" } }));
  const stop = new AbortController();
  const work = withHost(
    runtimeOf({ environment: stage.environment }),
    { flags, directory: stage.workspace },
    async (host) => {
      host.events.subscribe(({ kind }) => kind === "connected" && stop.abort(new Error("stopped")));
      const [row] = await survey(host, { signal: stop.signal });
      assertEquals([row?.reason?.code, row?.exitCode], ["CALL_CANCELLED", 1]);
      throw new Error("over");
    },
  );
  await assertRejects(() => work, Error, "over");
});
