import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { MANY } from "../enterprise/policy.ts";

const limit = { timeout: 60_000 };
const ORDINARY = `
[mcp_servers.files]
command = "sh"
environment_id = "farm"
[mcp_servers.web]
url = "https://web.invalid"
bearer_token_env_var = "NOT_SET"
[mcp_servers.wrong]
command = 7
`;

type Row = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly reason: { readonly code: string } | null;
  readonly faults: readonly unknown[];
};

test("every kind of server stands where it is known to stand", limit, async () => {
  await using place = await EnterprisePlace.create(MANY + ORDINARY);
  const { code, stdout } = await place.run(["servers", "--offline", "--json"]);
  assertEquals(code, 4);
  const rows = (JSON.parse(stdout).servers as Row[]).map((row) => [
    ...[row.name, row["kind"], row["environment"], row["enabled"], row["state"], row["auth"]],
    ...[row.reason?.code ?? null, row["exitCode"], row.faults.length],
  ]);
  assertEquals(rows, [
    ["broken", "enterprise", "local", true, "disabled", "enterprise", "URL_REFUSED", 3, 1],
    ["files", "stdio", "farm", true, "idle", "none", null, 0, 0],
    ["off", "enterprise", "local", false, "disabled", "enterprise", null, 0, 0],
    ["tracker", "enterprise", "local", true, "failed", "enterprise", "signed-out", 4, 0],
    ["web", "http", "local", true, "failed", "bearer", "SERVER_DISABLED", 3, 0],
    ["wiki", "enterprise", "local", true, "failed", "enterprise", "signed-out", 4, 0],
    ["wrong", null, "local", true, "disabled", "none", "FIELD_TYPE", 3, 1],
  ]);
});

test("a keyring that is locked is said", limit, async () => {
  await using place = await EnterprisePlace.create(MANY);
  place.keyring = { mode: "locked", items: {} };
  const { code, stdout } = await place.run(["servers", "--offline", "--json"]);
  const tracker = (JSON.parse(stdout).servers as Row[]).find(({ name }) => name === "tracker");
  assertEquals([code, tracker?.reason?.code], [5, "keyring-locked"]);
});
