import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { runDeno } from "../../../../scripts/command.ts";
import { MANY, POLICY } from "../enterprise/policy.ts";
import { fileURLToPath } from "node:url";

const limit = { timeout: 120_000 };

/** What comes after the two lines about the sandbox, which depend on what is installed. */
function serversIn(stdout: string): string {
  const head = /^sandbox: (?:launcher found|no launcher)\n {2}[^\n]+\n/;
  assertMatch(stdout, head);
  return stdout.replace(head, "");
}

test("every server is there, with what blocks it, and the worst decides", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  const { code, stdout, stderr } = await place.run(["status", "--json"]);
  assertEquals([code, stderr], [4, ""]);
  const { servers, ...rest } = JSON.parse(stdout);
  assertEquals(Object.keys(rest), ["sandbox", "faults", "warnings", "remarks"]);
  type Row = { name: string; enabled: boolean; status: { kind: string }; next: string; exitCode: number };
  assertEquals(
    (servers as Row[]).map((
      { name, enabled, status, next, exitCode },
    ) => [name, enabled, status.kind, next, exitCode]),
    [
      ["broken", true, "disabled", "codex-mcp status", 3],
      ["off", false, "signed-out", "codex-mcp login --idp globex", 4],
      ["tracker", true, "signed-out", "codex-mcp login", 4],
      ["wiki", true, "signed-out", "codex-mcp login --idp globex", 4],
    ],
  );
  const text = await place.run(["status"]);
  assertEquals(text.code, 4);
  assertMatch(text.stdout, /^off {6}signed-out, switched off$/m);
  assertMatch(
    text.stdout,
    /^ {9}\/.+\/config\.toml:\d+: Cannot use mcp_servers\.broken\.url: .+ \(URL_REFUSED\)\. Correct it and run: codex-mcp status$/m,
  );
});

test("the keyring and the marker are part of it", limit, async () => {
  await using place = await EnterprisePlace.create(POLICY);
  const rows = [
    [
      "absent",
      "it is not running in this session. Start it (see docs/enterprise/README.md, Machines without a desktop), then run:",
      "codex-mcp login",
    ],
    ["locked", "it is locked. Unlock it, then run:", "codex-mcp status"],
  ] as const;
  for (const [mode, sentence, command] of rows) {
    place.keyring = { mode, items: {} };
    const kind = `keyring-${mode}`;
    const message = `Cannot use the keyring "Secret Service": ${sentence} ${command}`;
    const { code, stdout } = await place.run(["status", "--json"]);
    const [server] = JSON.parse(stdout).servers;
    assertEquals([code, server.status.kind, server.message, server.next], [5, kind, message, command]);
    // one sentence and one command: nothing of it comes twice
    const { stdout: text, stderr } = await place.run(["status"]);
    assertEquals([serversIn(text), stderr], [`tracker  ${kind}\n         ${message}\n`, ""]);
  }
});

test("nothing configured is nothing wrong, unless somebody tried", limit, async () => {
  await using place = await EnterprisePlace.create("");
  const nothing = await place.run(["status"]);
  assertEquals([nothing.code, serversIn(nothing.stdout), nothing.stderr], [
    0,
    "No server is configured.\n",
    "",
  ]);
  assertEquals(JSON.parse((await place.run(["status", "--json"])).stdout).servers, []);
  await Deno.mkdir(`${place.workspace}/.codex`);
  await Deno.writeTextFile(`${place.workspace}/.codex/config.toml`, "[mcp_enterprise_managed_auth.idp]\n");
  const { code, stderr } = await place.run(["status"]);
  assertEquals(code, 3);
  assertMatch(stderr, /only the system's, the administrator's or the user's configuration/);
});

test("a root that is no table is said, and not taken for nothing", limit, async () => {
  for (const root of ["mcp_servers", "mcp_enterprise_managed_auth", "features"]) {
    await using place = await EnterprisePlace.create(`${root} = 5\n`);
    const { code, stdout, stderr } = await place.run(["status"]);
    assertEquals([code, serversIn(stdout)], [3, "No server is configured.\n"], stderr);
    assertMatch(
      stderr,
      new RegExp(`^codex-mcp: /.+/config\\.toml:1: Cannot use ${root}: it must be a table\\..+\\n$`),
    );
    const { faults } = JSON.parse((await place.run(["status", "--json"])).stdout);
    assertEquals(faults.map(({ code, field }: { code: string; field: string }) => [code, field]), [
      ["FIELD_TYPE", root],
    ]);
  }
});

test(
  "ordinary servers and the sandbox are part of it, and the JSON of other hosts is read",
  limit,
  async () => {
    await using place = await EnterprisePlace.create(POLICY);
    const file = `${place.home}/servers.json`;
    const servers = { files: { command: "sh", env: { KEY: "s3cr3t" } }, wrong: { command: 7 } };
    await Deno.writeTextFile(file, JSON.stringify({ mcpServers: servers }, null, 1), { mode: 0o600 });
    const { code, stdout, stderr } = await place.run(["status", "--config", file]);
    assertEquals([code, stderr], [3, ""]);
    assertEquals(
      serversIn(stdout),
      `files  configured\n       Not asked. Run: codex-mcp tools --config ${file} files\n` +
        `wrong  disabled\n       ${file}:10: Cannot use mcpServers.wrong.command: it must be a string. ` +
        `Correct it and run: codex-mcp status --config ${file}\n`,
    );
    const { sandbox } = JSON.parse((await place.run(["status", "--json"])).stdout);
    assertEquals([Object.keys(sandbox), sandbox.exitCode], [["launcher", "message", "next", "exitCode"], 0]);
    const named = await place.run(["status", "--config", file, "--codex", "/nowhere", "--json"]);
    assertEquals([named.code, JSON.parse(named.stdout).sandbox.exitCode], [3, 3]);
    assert(!`${stdout}${named.stdout}`.includes("s3cr3t"));
  },
);

test("a configuration that cannot be used ends it, and shows nothing of what it holds", limit, async () => {
  await using place = await EnterprisePlace.create('client_secret = "hush');
  const broken = await place.run(["status", "--json"]);
  assertEquals([broken.code, JSON.parse(broken.stdout).error.code], [3, "CONFIGURATION_REFUSED"]);
  assert(!broken.stdout.includes("hush"));
  const missing = await place.run(["status", "--config", "missing.toml"]);
  assertEquals(missing.code, 5);
  assertMatch(
    missing.stderr,
    /^codex-mcp: CONFIGURATION_UNAVAILABLE: Cannot read the configuration ".+missing\.toml"/,
  );
});

test("no OAuth library, no MCP library and no keyring is loaded for it", limit, async () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const { code, stdout } = await runDeno(["info", "--json", "adapters/cli/commands/status.ts"], {
    directory: root,
  });
  assertEquals(code, 0);
  type Module = { specifier: string; dependencies?: { code?: { specifier: string }; isDynamic?: boolean }[] };
  const modules = new Map((JSON.parse(stdout).modules as Module[]).map((one) => [one.specifier, one]));
  const seen = new Set<string>();
  const visit = (specifier: string): void => {
    if (seen.has(specifier)) return;
    seen.add(specifier);
    for (const { code, isDynamic } of modules.get(specifier)?.dependencies ?? []) {
      if (code !== undefined && isDynamic !== true) visit(code.specifier);
    }
  };
  visit([...modules.keys()].find((name) => name.endsWith("/adapters/cli/commands/status.ts")) ?? "");
  assert(seen.size > 20);
  assertEquals([...seen].filter((name) => /^npm:|\/adapters\/(keyring|mcp)\//.test(name)), []);
});
