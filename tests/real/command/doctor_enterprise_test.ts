/**
 * `codex-mcp doctor SERVER` at the test bed: what an administrator, a network and a clock can break, and that nothing
 * secret is sent or written on the way.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import type { Finding } from "../../../adapters/cli/doctor/finding.ts";
import { type EnterpriseBed, findSecret, startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { EnterprisePlace } from "../../fixtures/enterprise_cli/place.ts";
import { foreignTokens } from "../../fixtures/enterprise_cli/tokens.ts";

const LIMIT = { timeout: 120_000 };

async function diagnose(bed: EnterpriseBed, place: EnterprisePlace, words: readonly string[] = []) {
  const { code, stdout, stderr } = await place.run(["doctor", "notes", "--json", ...words]);
  assertEquals(stderr, "");
  assert(!stdout.includes(bed.canary) && !stdout.includes(bed.idp.client.secret ?? "?"));
  const { ok, checks }: { readonly ok: boolean; readonly checks: readonly Finding[] } = JSON.parse(stdout);
  assertEquals(code, ok ? 0 : 1, stdout);
  const find = (id: string): Finding =>
    checks.find((one) => one.id === id) ?? { id, status: "skipped", found: "?" };
  return { code, checks, find };
}

test("all is well before anybody signs in, and nothing is written or exchanged", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const before = place.keyring;
  const { code, checks, find } = await diagnose(bed, place);
  assertEquals([code, checks.filter(({ status }) => status === "failed")], [0, []]);
  for (const id of ["keyring", "idp", "server", "resource", "authorization-server", "clock"]) {
    assertEquals(find(id).status, "ok", id);
  }
  assertMatch(find("keyring").found, /holds no sign-in$/);
  assertMatch(find("server").found, /asks for a token \(401\)/);
  assertEquals(place.keyring, before);
  const asked = new Set(bed.wire.entries().map(({ endpoint }) => endpoint));
  assertEquals([...asked].toSorted(), ["as.metadata", "idp.metadata", "mcp.endpoint", "mcp.prm"]);
  assertEquals(findSecret(bed.wire.entries(), bed.idp.client.secret ?? "none"), []);
});

test("with --connect the sign-in is used, and told when there is none", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const without = (await diagnose(bed, place, ["--connect"])).find("connect");
  assertEquals([without.status, without.code], ["failed", "SIGN_IN_REQUIRED"]);
  assertMatch(without.fix ?? "", /^run: codex-mcp login$/);
  const { refreshToken } = await foreignTokens(bed);
  await place.run(["login", "--refresh-token-stdin", "--yes"], { input: refreshToken });
  const { checks, find } = await diagnose(bed, place, ["--connect"]);
  assertEquals(find("connect").status, "ok", find("connect").found);
  assertMatch(find("keyring").found, /holds the sign-in at default$/);
  assert(!JSON.stringify(checks).includes(refreshToken));
});

test("what is broken is named, with its code", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  await using place = await EnterprisePlace.create(bed.configuration());
  bed.faults.set("idp.metadata", { kind: "html" });
  bed.faults.set("mcp.endpoint", { kind: "status", status: 404 });
  bed.faults.set("as.metadata", { kind: "status", status: 503 });
  const broken = await diagnose(bed, place);
  assertEquals(["idp", "server", "authorization-server"].map((id) => broken.find(id).code), [
    "DISCOVERY_REFUSED",
    "SERVER_UNAVAILABLE",
    "TEMPORARILY_UNAVAILABLE",
  ]);
  assertEquals(broken.find("resource").status, "ok");
  for (const { status, fix } of broken.checks) assertEquals(status === "failed", fix !== undefined);
  bed.faults.clear();
  bed.skew("idp", 300);
  const { code, find } = await diagnose(bed, place);
  assertEquals([code, find("clock").status, find("idp").status], [1, "failed", "ok"]);
  assertMatch(find("clock").found, /is (?:299|300|301) s ahead of this machine's/);
});

test("a keyring that is absent, locked or silent, within a time", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const rows = [["absent", "KEYRING_ABSENT"], ["locked", "KEYRING_LOCKED"], [
    "silent",
    "KEYRING_LOCKED",
  ]] as const;
  for (const [mode, code] of rows) {
    place.keyring = { mode, items: {} };
    const { find } = await diagnose(bed, place);
    assertEquals(
      [find("keyring").status, find("keyring").code, find("idp").status],
      ["failed", code, "ok"],
      mode,
    );
  }
});
