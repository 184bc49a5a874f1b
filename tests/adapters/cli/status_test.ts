import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { nextCommand } from "../../../adapters/cli/status.ts";
import type { ServerStatus } from "../../../core/enterprise/status.ts";
import { guidance } from "../../../core/enterprise/status_text.ts";
import { EnterprisePlace } from "../../fixtures/enterprise_cli/place.ts";
import { runDeno } from "../../../scripts/command.ts";
import { MANY, POLICY } from "./enterprise/policy.ts";
import { fileURLToPath } from "node:url";

const limit = { timeout: 120_000 };

test("every server is there, with what blocks it, and the worst decides", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  const { code, stdout, stderr } = await place.run(["status", "--json"]);
  assertEquals([code, stderr], [4, ""]);
  const { servers, ...rest } = JSON.parse(stdout);
  assertEquals(Object.keys(rest), ["faults", "warnings", "remarks"]);
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
    /^ {9}Disabled by mcp_servers\.broken\.url of user layer .+ \(URL_REFUSED\)\. Correct it and run: codex-mcp status$/m,
  );
});

test("the keyring and the marker are part of it", limit, async () => {
  await using place = await EnterprisePlace.create(POLICY);
  const rows = [
    ["absent", "it is not running in this session. Start it, then run:", "codex-mcp login"],
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
    assertEquals([text, stderr], [`tracker  ${kind}\n         ${message}\n`, ""]);
  }
});

test("nothing configured is nothing wrong, unless somebody tried", limit, async () => {
  await using place = await EnterprisePlace.create("");
  assertEquals(await place.run(["status"]), {
    code: 0,
    stdout: "No enterprise server is configured.\n",
    stderr: "",
  });
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
    assertEquals([code, stdout], [3, "No enterprise server is configured.\n"], stderr);
    assertMatch(
      stderr,
      new RegExp(`^codex-mcp: Cannot use ${root} of user layer ".+": it must be a table\\..+\\n$`),
    );
    const { faults } = JSON.parse((await place.run(["status", "--json"])).stdout);
    assertEquals(faults.map(({ code, field }: { code: string; field: string }) => [code, field]), [
      ["FIELD_TYPE", root],
    ]);
  }
});

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

test("the next command is the one at the end of the sentence", () => {
  const statuses: readonly ServerStatus[] = [
    { kind: "ready", until: null, extension: "unknown" },
    { kind: "configuration-unavailable" },
    { kind: "keyring-absent" },
    { kind: "signed-out", because: "refused" },
    { kind: "reconnect", because: "bearer-refused" },
    { kind: "administrator-denied", leg: "redemption" },
    { kind: "scope-refused", leg: "token-exchange" },
    { kind: "unavailable" },
  ];
  const next = statuses.map((status) =>
    nextCommand(guidance(status, { server: "tracker", provider: "acme" }))
  );
  assertEquals(next, [
    "codex-mcp token tracker",
    "codex-mcp status",
    "codex-mcp login --idp acme",
    "codex-mcp login --idp acme",
    "codex-mcp doctor tracker",
    "codex-mcp token tracker",
    "codex-mcp doctor tracker",
    "codex-mcp token tracker",
  ]);
  assertEquals(nextCommand("Nothing to do."), null);
});

test("no OAuth library, no MCP library and no keyring is loaded for it", limit, async () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const { code, stdout } = await runDeno(["info", "--json", "adapters/cli/status.ts"], { directory: root });
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
  visit([...modules.keys()].find((name) => name.endsWith("/adapters/cli/status.ts")) ?? "");
  assert(seen.size > 20);
  assertEquals([...seen].filter((name) => /^npm:|\/adapters\/(keyring|mcp)\//.test(name)), []);
});
