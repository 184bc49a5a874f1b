import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { parse } from "smol-toml";
import { enterpriseRow, refusedEnterpriseRow } from "../../../../adapters/cli/status/enterprise.ts";
import type { ProviderFacts } from "../../../../adapters/cli/enterprise/sign_in_facts.ts";
import { keyringError } from "../../../../adapters/keyring/native.ts";
import type { EnterpriseEntry } from "../../../../core/configuration/entry.ts";
import { readServers } from "../../../../core/configuration/servers.ts";
import { MANY } from "../enterprise/policy.ts";

const clock = { now: () => 1000, sleep: () => Promise.resolve(true) };
const NOBODY: ProviderFacts = {
  keyring: "open",
  marker: "readable",
  gone: "not-signed-in",
  signIn: null,
  account: null,
  trouble: null,
};
const ALICE = { name: "alice", user: "u", workspace: null, signedInAt: 1 };

const values = parse(MANY);
const { servers, disabled } = readServers([{ kind: "user", source: "/c.toml", values, codexFile: true }]);
const tracker = servers.find(({ name }) => name === "tracker") as EnterpriseEntry;

/** The row with these facts. */
function rowWith(facts: Partial<ProviderFacts> | null) {
  const known = facts === null ? [] : [["default", { ...NOBODY, ...facts }] as const];
  const { status, account, until, exitCode, next } = enterpriseRow(tracker, { facts: new Map(known), clock });
  return [status.kind, account?.name ?? null, until, exitCode, next];
}

test("a sign-in makes the status, without asking anybody", () => {
  const signIn = { hasRefreshToken: true, idTokenExpiresAt: null };
  const short = { hasRefreshToken: false, idTokenExpiresAt: 2000 };
  assertEquals(rowWith({ signIn, account: ALICE }), ["ready", "alice", null, 0, "codex-mcp tools tracker"]);
  assertEquals(rowWith({ signIn: short }), ["ready", null, 2000, 0, "codex-mcp tools tracker"]);
  assertEquals(rowWith({ signIn: { ...short, idTokenExpiresAt: 999 } }), [
    "signed-out",
    null,
    null,
    4,
    "codex-mcp login",
  ]);
  assertEquals(rowWith({}), ["signed-out", null, null, 4, "codex-mcp login"]);
  assertEquals(rowWith(null), ["signed-out", null, null, 4, "codex-mcp login"]);
  const absent = { keyring: "absent", trouble: keyringError("Secret Service", "no-service") } as const;
  assertEquals(rowWith(absent), ["keyring-absent", null, null, 5, "codex-mcp login"]);
  const locked = { keyring: "locked", trouble: keyringError("Secret Service", "locked") } as const;
  assertEquals(rowWith(locked), ["keyring-locked", null, null, 5, "codex-mcp status"]);
});

test("what a row says of a server, and of one that a fault disables", () => {
  const { name, kind, auth, environment, url, provider } = enterpriseRow(tracker, {
    facts: new Map(),
    clock,
  });
  assertEquals([name, kind, auth, environment, url, provider], [
    "tracker",
    "enterprise",
    "enterprise",
    "local",
    "https://mcp.invalid/mcp",
    "default",
  ]);
  const row = refusedEnterpriseRow(disabled.find((one) => one.name === "broken")!);
  assertEquals([row.status.kind, row.exitCode, row.next, row.url], ["disabled", 3, "codex-mcp status", null]);
  assertMatch(
    row.message,
    /^\/c\.toml: Cannot use mcp_servers\.broken\.url: .+ \(URL_REFUSED\)\. Correct it and run: codex-mcp status$/,
  );
});
