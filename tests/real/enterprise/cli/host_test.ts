/**
 * `servers`, `tools` and `call` at enterprise servers: with a sign-in, without one, and with what the administrator
 * denies.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { select, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { foreignTokens } from "../../../fixtures/enterprise_cli/tokens.ts";

const LIMIT = { timeout: 120_000 };

test("without a sign-in each says so, with the next command", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  await using place = await EnterprisePlace.create(bed.configuration());
  for (const words of [["tools", "notes"], ["call", "notes", "whoami"]]) {
    const { code, stdout, stderr } = await place.run(words);
    assertEquals([code, stdout], [4, ""], stderr);
    assertMatch(stderr, /SIGN_IN_REQUIRED: .*codex-mcp login/);
  }
  for (const words of [["servers"], ["servers", "--offline"]]) {
    const { code, stdout, stderr } = await place.run(words);
    assertEquals(code, 4, stderr);
    assertMatch(stdout, /codex-mcp login$/m);
  }
  assertEquals(bed.wire.entries().length, 0);
});

test("with one they are connected to, listed and called, and nothing of it is kept", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const { refreshToken } = await foreignTokens(bed);
  const login = await place.run(["login", "--refresh-token-stdin", "--yes"], { input: refreshToken });
  assertEquals(login.code, 0, login.stderr);
  const environment = { XDG_CACHE_HOME: join(place.home, "cache") };

  const offline = await place.run(["servers", "--offline"], { environment });
  assertEquals(offline.code, 0, offline.stdout);
  const { code, stdout, stderr } = await place.run(["servers", "--json"], { environment });
  assertEquals([code, stderr], [0, ""], stdout);
  type Row = { name: string; kind: string; state: string; era: string; auth: string; tools: number };
  for (const row of JSON.parse(stdout).servers as Row[]) {
    assertEquals([row.kind, row.state, row.auth], ["enterprise", "ready", "enterprise"], row.name);
    assert(row.era !== null && row.tools > 0);
  }
  const tools = await place.run(["tools", "notes", "--json"], { environment });
  assertEquals(tools.code, 0, tools.stderr);
  const names = (JSON.parse(tools.stdout).tools as { name: string }[]).map(({ name }) => name);
  assert(names.includes("whoami"), names.join());
  const before = bed.wire.entries().length;
  const called = await place.run(["call", "notes", "whoami"], { environment });
  assertEquals(called.code, 0, called.stderr);
  assertMatch(called.stdout, /alice/);
  const sent = bed.wire.entries().slice(before).map((entry) => JSON.stringify(entry));
  assert(!sent.some((entry) => entry.includes("tools/list")));
  assertEquals(await readdir(join(place.home, "cache")).catch(() => []), []);
  assert(!`${stdout}${tools.stdout}${called.stdout}${called.stderr}`.includes(refreshToken));
  assert(select(bed.wire.entries(), { endpoint: "idp.exchange" }).length > 0);

  bed.faults.set("idp.exchange", { kind: "oauth-error", error: "access_denied" });
  const denied = await place.run(["call", "notes", "whoami", "--json"], { environment });
  assertEquals([denied.code, JSON.parse(denied.stdout).error.code], [3, "ADMINISTRATOR_REFUSED"]);
  assertEquals((await place.run(["servers"], { environment })).code, 3);
});

test("a call that ends before it was sent says so, and not that the tool may have run", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const { refreshToken: input } = await foreignTokens(bed);
  assertEquals((await place.run(["login", "--refresh-token-stdin", "--yes"], { input })).code, 0);
  bed.faults.set("idp.metadata", { kind: "hang" });
  const { code, stderr } = await place.run(["call", "notes", "whoami", "--timeout", "2"]);
  assertEquals(code, 5, stderr);
  assertMatch(stderr, /CALL_TIMEOUT: .+ connecting took longer than 2 s\. .+: codex-mcp doctor notes$/m);
});
