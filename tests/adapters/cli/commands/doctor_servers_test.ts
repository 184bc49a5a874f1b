import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import type { Finding } from "../../../../adapters/cli/doctor/finding.ts";
import { Stage } from "../host/stage.ts";

const limit = { timeout: 120_000 };

/** What the doctor says, as JSON. */
async function diagnose(stage: Stage, words: readonly string[]) {
  const { code, stdout, stderr } = await stage.run(["doctor", "--json", ...words], {
    environment: { TOKEN: "hush-hush" },
  });
  assertEquals(stderr, "");
  assert(!stdout.includes("hush-hush"));
  const { ok, checks }: { readonly ok: boolean; readonly checks: readonly Finding[] } = JSON.parse(stdout);
  assertEquals(code, ok ? 0 : 1);
  return { code, told: checks.map(({ id, subject, status }) => [id, subject ?? null, status]), checks };
}

test("named servers alone are looked at, and the machine is left out", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(
    stage.server("good", { env: { KEY: "hush-hush" } }),
    '[mcp_servers.web]\nurl = "https://web.invalid/?key=hush-hush"\nbearer_token_env_var = "NOT_SET"\n',
    '[mcp_servers.bad]\ncommand = 7\n[mcp_servers.gone]\ncommand = "/nowhere/x"\n',
  );
  assertEquals((await diagnose(stage, ["good"])).told, [["server", "good", "ok"]]);
  assertEquals(await stage.recorded("good"), []);
  const { code, told, checks } = await diagnose(stage, ["bad", "--connect", "good", "gone", "web"]);
  assertEquals([code, told], [1, [
    ["server", "good", "ok"],
    ["server", "web", "failed"],
    ["server", "gone", "failed"],
    ["server", "bad", "failed"],
    ["connect", "good", "ok"],
    ["connect", "web", "skipped"],
    ["connect", "gone", "skipped"],
    ["connect", "bad", "skipped"],
  ]]);
  assertMatch(checks[3]?.found ?? "", /config\.toml:\d+: Cannot use mcp_servers\.bad\.command/);
  assertMatch(checks[4]?.found ?? "", /offers 9 tools$/);
  assert((await stage.recorded("good")).includes("tools/list"));
  const text = await stage.run(["doctor", "gone"]);
  assertEquals([text.code, text.stderr], [1, ""]);
  assertMatch(
    text.stdout,
    /^failed {3}server gone +the program "\/nowhere\/x" does not exist\n {39}fix: install it/,
  );
});

test("a server that is started and fails has its code", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure(
    '[mcp_servers.web]\nurl = "http://127.0.0.1:9/mcp"\n',
    '[mcp_servers.ends]\ncommand = "sh"\nargs = ["-c", "echo hush-hush >&2; exit 3"]\n',
  );
  const { code, checks } = await diagnose(stage, ["ends", "--connect"]);
  assertEquals([code, checks[1]?.status, checks[1]?.code], [1, "failed", "SERVER_UNAVAILABLE"]);
  assertMatch(checks[1]?.fix ?? "", /codex-mcp servers --stderr$/);
  // what failed is tried again: without --connect it would pass
  const file = join(stage.home, "config.toml");
  const web = (await diagnose(stage, ["web", "--connect", "--config", file])).checks[1];
  assertMatch(web?.fix ?? "", /: codex-mcp doctor --config \S+config\.toml --connect web$/);
});

test("all servers come after the machine, and a name that is not there is a mistake", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure('[mcp_servers.files]\ncommand = "sh"\n');
  const { told } = await diagnose(stage, []);
  assertEquals(told.slice(-2), [["configuration", null, "ok"], ["server", "files", "ok"]]);
  assertEquals(told[0]?.[0], "launcher");
  const unknown = await stage.run(["doctor", "other"]);
  assertEquals([unknown.code, unknown.stdout], [2, ""]);
  assertMatch(unknown.stderr, /No server "other" is configured\. There is: files\./);
});

test("a configuration that cannot be used or read is a finding", limit, async () => {
  await using stage = await Stage.create();
  await stage.configure('[mcp_servers.a]\ntoken = "hush-hush');
  const broken = (await diagnose(stage, ["a"])).checks;
  assertEquals(broken.map(({ id, code }) => [id, code]), [["configuration", "CONFIGURATION_REFUSED"]]);
  assertMatch(broken[0]?.found ?? "", /config\.toml:2: /);
  const missing = (await diagnose(stage, ["a", "--config", "missing.toml"])).checks;
  assertEquals([missing[0]?.code, missing[0]?.fix?.includes("codex-mcp doctor")], [
    "CONFIGURATION_UNAVAILABLE",
    true,
  ]);
});
