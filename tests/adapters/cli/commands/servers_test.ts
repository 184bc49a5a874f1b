import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startSite } from "../host/site.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 120_000 };

type Row = {
  name: string;
  state: string;
  era: string;
  auth: string;
  environment: string;
  sandbox: string | null;
  tools: number;
  reason: { code: string; message: string } | null;
  exitCode: number;
};

test("every server is told, whatever becomes of the others, and the worst decides", limit, async () => {
  await using stage = await Stage.create();
  await using site = startSite();
  await stage.configure(
    stage.server("good", { more: 'disabled_tools = ["hang"]\nenvironment_id = "local"' }),
    `[mcp_servers.site]\nurl = "${site.url}"\nbearer_token_env_var = "SITE_TOKEN"\n`,
    '[mcp_servers.hangs]\ncommand = "sleep"\nargs = ["60"]\nstartup_timeout_sec = 1\n',
    '[mcp_servers.noisy]\ncommand = "sh"\nargs = ["-c", "echo \\"s3cr3t \\u001b[2J\\" >&2; exit 3"]\n',
    '[mcp_servers.off]\ncommand = "sh"\nenabled = false\n[mcp_servers.broken]\ncommand = 7\n',
    stage.server("boxed", { env: { OPT_IN: "1" } }),
  );
  const environment = { SITE_TOKEN: "hush-hush" };
  const { code, stdout, stderr } = await stage.run(["servers", "--json"], { environment });
  assertEquals([code, stderr], [5, ""]);
  const document = JSON.parse(stdout);
  assertEquals(Object.keys(document), ["servers", "warnings"]);
  const rows = new Map((document.servers as Row[]).map((row) => [row.name, row]));
  const told = (name: string) => {
    const { state, era, auth, tools, reason, exitCode } = rows.get(name)!;
    return [state, era, auth, tools, reason?.code ?? null, exitCode];
  };
  assertEquals(told("good"), ["ready", "modern", "none", 8, null, 0]);
  assertEquals(told("site"), ["ready", "modern", "bearer", 1, null, 0]);
  assertEquals(told("off"), ["disabled", null, "none", null, null, 0]);
  assertEquals(told("broken"), ["disabled", null, "none", null, "FIELD_TYPE", 3]);
  assertEquals(told("hangs").slice(4), ["SERVER_TIMEOUT", 5]);
  assertEquals(told("noisy").slice(4), ["SERVER_UNAVAILABLE", 5]);
  const sandbox = ["boxed", "good", "noisy", "site", "broken"].map((name) => rows.get(name)?.sandbox);
  assertEquals(sandbox, ["asks", "does-not-ask", "unknown", null, null]);
  assertMatch(
    rows.get("broken")!.reason!.message,
    /config\.toml:\d+: Cannot use mcp_servers\.broken\.command/,
  );
  assert(!/hush-hush|s3cr3t/.test(stdout));
  assertEquals(site.bearers(), new Set(["Bearer hush-hush"]));
});

test("the table, and what a server wrote only when it is asked for", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(
    '[mcp_servers.noisy]\ncommand = "sh"\nargs = ["-c", "printf \'its words \\\\033[2J\\\\n\' >&2; exit 3"]\n',
    '[mcp_servers.off]\ncommand = "sh"\nenabled = false\nenvironment_id = "farm"\n',
  );
  const { code, stdout, stderr } = await stage.run(["servers"]);
  assertEquals([code, stderr, stdout.includes("its words")], [5, "", false]);
  assertMatch(stdout, /^server {2}state {3} *era {2}auth {2}environment {2}sandbox {2}tools$/m);
  assertMatch(stdout, /^noisy {3}(?:failed|waiting) +- {4}none {2}local {8}unknown {2}-$/m);
  assertMatch(stdout, /^ {2}Cannot connect to the server "noisy": .+$/m);
  assertMatch(stdout, /^off {5}off +- {4}none {2}farm {9}- {8}-$/m);
  const asked = await stage.run(["servers", "--stderr"]);
  assertMatch(asked.stdout, /^ {2}\| its words /m);
  assert(!asked.stdout.includes("\u001b"));
});

test("offline nobody is asked, and only the configuration decides", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(stage.server("good"));
  const fine = await stage.run(["servers", "--offline", "--json"]);
  assertEquals([fine.code, JSON.parse(fine.stdout).servers[0].state], [0, "idle"]);
  assertEquals(await stage.recorded("good"), []);
  await stage.configure(stage.server("good"), "[mcp_servers.broken]\ncommand = 7\n");
  assertEquals((await stage.run(["servers", "--offline"])).code, 3);
  assertEquals((await stage.run(["servers", "--offline", "--connect"])).code, 2);
  assertEquals((await stage.run(["servers", "good"])).code, 2);
});

test("the JSON of other hosts, and nothing at all", limit, async () => {
  await using stage = await Stage.create();
  const file = join(stage.home, "servers.json");
  const env = { DENO_DIR: stage.environment["DENO_DIR"] };
  const text = JSON.stringify(
    { mcpServers: { there: { ...stage.toolServer, env }, not: { command: 7 } } },
    null,
    1,
  );
  await writeFile(file, text, { mode: 0o600 });
  const { code, stdout } = await stage.run(["servers", "--config", file, "--json"]);
  assertEquals(code, 3);
  const [there, not] = JSON.parse(stdout).servers as Row[];
  assertEquals([there?.name, there?.state, there?.tools], ["there", "ready", 9]);
  assertMatch(not?.reason?.message ?? "", /servers\.json:\d+: Cannot use mcpServers\.not\.command/);
  assertEquals(await stage.run(["servers"]), { code: 0, stdout: "No server is configured.\n", stderr: "" });
});

test("a configuration that cannot be read ends it, and shows nothing of what it holds", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure('[mcp_servers.a]\ntoken = "hush');
  const broken = await stage.run(["servers"]);
  assertEquals([broken.code, broken.stdout], [3, ""]);
  assertMatch(broken.stderr, /^codex-mcp: CONFIGURATION_INVALID: \/.+\/config\.toml:2: /);
  assert(!broken.stderr.includes("hush"));
  const missing = await stage.run(["servers", "--json", "--config", "missing.toml"]);
  assertEquals([missing.code, JSON.parse(missing.stdout).error.code], [5, "CONFIGURATION_UNAVAILABLE"]);
});
