/**
 * The command line when something is missing: no keyring, a locked one, a silent one, an identity provider that is
 * down, slow or says no. Each command ends in time, with its exit code and one sentence that says what to do, and
 * nothing that is printed holds a secret.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import { type EnterpriseBed, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { type EnterpriseOutcome, EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { foreignTokens } from "../../../fixtures/enterprise_cli/tokens.ts";
import { KeyringSession } from "../../keyring/session.ts";

const LIMIT = { timeout: 180_000 };

/** Signs in with an ID token and a refresh token. */
async function signedIn(bed: EnterpriseBed): Promise<EnterprisePlace> {
  const place = await EnterprisePlace.create(bed.configuration());
  const { refreshToken } = await foreignTokens(bed);
  const { code, stderr } = await place.run(["login", "--refresh-token-stdin", "--yes"], {
    input: refreshToken,
  });
  assertEquals(code, 0, stderr);
  return place;
}

/** Checks exit code, code of the error, that it is one sentence or two, and that no secret shows. */
function judge(
  bed: EnterpriseBed,
  outcome: EnterpriseOutcome,
  expected: readonly [exit: number, code: string],
): void {
  const { code, stdout, stderr } = outcome;
  assertEquals(code, expected[0], stderr);
  const line = stderr.split("\n").find((one) => one.includes(expected[1])) ?? "";
  assertMatch(line, new RegExp(`^codex-mcp: ${expected[1]}: Cannot .+`), stderr);
  const secrets = bed.secretsInPlay().filter((secret) => !stderr.includes(`state=${secret}`));
  for (const secret of secrets) {
    assert(!`${stdout}${stderr}`.includes(secret), `${secret} in ${stdout}${stderr}`);
  }
}

test("no keyring, a locked one, a silent one", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await signedIn(bed);
  const { items } = place.keyring;
  for (const [mode, code] of [["absent", "KEYRING_ABSENT"], ["locked", "KEYRING_LOCKED"]] as const) {
    place.keyring = { mode, items };
    for (const words of [["login", "--no-browser", "--yes"], ["logout"], ["token", "notes"]]) {
      judge(bed, await place.run(words), [5, code]);
    }
    const { code: exit, stdout } = await place.run(["status", "--json"]);
    assertEquals([exit, JSON.parse(stdout).servers[0].status.kind], [5, `keyring-${mode}`]);
  }
  place.keyring = { mode: "silent", items };
  judge(bed, await place.run(["token", "notes", "--timeout", "2"]), [5, "KEYRING_LOCKED"]);
  // the sign-outs held, although nothing could be deleted until now
  place.keyring = { mode: "open", items };
  assertEquals((await place.run(["status"])).code, 4);
  assertEquals((await place.run(["logout"])).code, 0);
  assertEquals(place.keyring.items, {});
});

test("an identity provider that is down, slow, or says no", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await signedIn(bed);
  bed.faults.set("idp.metadata", { kind: "status", status: 503 });
  judge(bed, await place.run(["login", "--device", "--timeout", "10"]), [5, "TEMPORARILY_UNAVAILABLE"]);
  judge(bed, await place.run(["token", "notes", "--timeout", "10"]), [5, "TEMPORARILY_UNAVAILABLE"]);
  bed.reset();
  bed.faults.set("idp.metadata", { kind: "hang" });
  judge(bed, await place.run(["login", "--no-browser", "--timeout", "2"]), [5, "TEMPORARILY_UNAVAILABLE"]);
  bed.reset();
  bed.faults.set("idp.exchange", { kind: "hang" });
  judge(bed, await place.run(["token", "notes", "--timeout", "2"]), [5, "TEMPORARILY_UNAVAILABLE"]);
  bed.reset();
  judge(bed, await place.run(["login", "--no-browser", "--timeout", "2"]), [4, "SIGN_IN_REQUIRED"]);
  bed.faults.set("idp.metadata", { kind: "raw", contentType: "application/json", body: "{}" });
  judge(bed, await place.run(["login", "--no-browser", "--timeout", "20"]), [3, "DISCOVERY_REFUSED"]);
  bed.reset();
  bed.idp.controls.denials = [{ account: "alice", error: "access_denied" }];
  judge(bed, await place.run(["token", "notes"]), [3, "ADMINISTRATOR_REFUSED"]);
  bed.reset();
  await bed.revokeGrants("alice");
  bed.expireIdTokens();
  judge(bed, await place.run(["token", "notes"]), [4, "SIGN_IN_REQUIRED"]);
});

test("a sign-out is one, also when the identity provider does not help", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  const faults = [
    ["idp.metadata", { kind: "status", status: 503 }],
    ["idp.revocation", { kind: "status", status: 503 }],
    ["idp.revocation", { kind: "oauth-error", error: "invalid_client", status: 401 }],
  ] as const;
  for (const [endpoint, fault] of faults) {
    bed.reset();
    await using place = await signedIn(bed);
    bed.faults.set(endpoint, fault);
    const { code, stdout, stderr } = await place.run(["logout", "--json"]);
    assertEquals([code, stderr], [0, ""]);
    const report = JSON.parse(stdout);
    assertEquals([report.signedOut, report.revoked, report.undone.length], [true, false, 2]);
    assertMatch(report.undone[0], /^The identity provider has not revoked the sign-in\. Cannot /);
    assertEquals(place.keyring.items, {});
    for (const secret of bed.secretsInPlay()) assert(!stdout.includes(secret));
  }
});

test("what is stored and cannot be read is told, replaced and deleted", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await signedIn(bed);
  const again = async (): Promise<void> => {
    const { refreshToken } = await foreignTokens(bed);
    const { code, stderr } = await place.run(["login", "--refresh-token-stdin", "--yes"], {
      input: refreshToken,
    });
    assertEquals(code, 0, stderr);
    assertEquals((await place.run(["status"])).code, 0);
  };
  const damageItem = (text: string): void => {
    const [name = ""] = Object.keys(place.keyring.items);
    place.keyring = { mode: "open", items: { [name]: text } };
  };
  for (const text of ["garbage", '{"version":9}']) {
    damageItem(text);
    assertEquals((await place.run(["status"])).code, 4);
    judge(bed, await place.run(["token", "notes"]), [
      4,
      text === "garbage" ? "GRANT_MALFORMED" : "GRANT_VERSION_UNSUPPORTED",
    ]);
    await again();
  }
  // a time beyond every date, as an older version stored it, is no time that is known
  const stored = JSON.parse(Object.values(place.keyring.items)[0] ?? "");
  damageItem(JSON.stringify({ ...stored, refresh_token: null, id_token_expires_at: 9e12 }));
  const far = await place.run(["status"]);
  assertEquals(far.code, 4, far.stderr);
  await again();
  damageItem("garbage");
  assertEquals((await place.run(["logout"])).code, 0);
  assertEquals(place.keyring.items, {});
  await again();
  const folder = `${place.environment["XDG_STATE_HOME"]}/codex-mcp`;
  const [marker] = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".json")
  );
  Deno.writeTextFileSync(`${folder}/${marker}`, "garbage");
  const { code, stdout } = await place.run(["status", "--json"]);
  assertEquals([code, JSON.parse(stdout).servers[0].status.kind], [5, "marker-unreadable"]);
  assertEquals((await place.run(["token", "notes"])).code, 5);
  await again();
});

test("tokens that no keyring holds are refused, and nothing is stored", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  bed.turn("code-answer-refresh-token-large");
  const run = place.start(["login", "--no-browser", "--yes"], { keep: true });
  const [, page = ""] = await run.told(/^(http:\S+\/auth\S*)$/m);
  await run.type((await bed.browse(page)).href);
  judge(bed, await run.outcome, [3, "GRANT_TOO_LARGE"]);
  assertEquals(place.keyring.items, {});
});

test("nobody types a token: the command ends", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const run = place.start(["login", "--id-token-stdin", "--timeout", "1"], { keep: true });
  judge(bed, await run.outcome, [4, "SIGN_IN_REQUIRED"]);
});

test("a secret that a variable names stays out of sight, and a missing one is named", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  const secret = bed.idp.client.secret ?? "";
  const text = bed.configuration().replace(JSON.stringify(secret), '{ env = "IDP_SECRET" }');
  await using place = await EnterprisePlace.create(text);
  const { refreshToken } = await foreignTokens(bed);
  const words = ["login", "--refresh-token-stdin", "--yes"];
  const missing = await place.run(words, { input: refreshToken });
  judge(bed, missing, [3, "CONFIGURATION_REFUSED"]);
  assertMatch(missing.stderr, /IDP_SECRET is not set/);
  const run = await place.run(words, { input: refreshToken, environment: { IDP_SECRET: secret } });
  assertEquals(run.code, 0, run.stderr);
  assert(!`${run.stdout}${run.stderr}`.includes(secret));
});

test("with the system's own keyring: signed in, used and signed out by three processes", LIMIT, async () => {
  const session = await KeyringSession.start("unlocked");
  try {
    await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
    await using place = await EnterprisePlace.create(bed.configuration());
    const { refreshToken } = await foreignTokens(bed);
    const environment = { ...session.environment, TEST_KEYRING: "system" };
    const steps: readonly (readonly [readonly string[], number])[] = [
      [["login", "--refresh-token-stdin", "--yes"], 0],
      [["status"], 0],
      [["token", "notes"], 0],
      [["logout"], 0],
      [["status"], 4],
    ];
    for (const [words, code] of steps) {
      const outcome = await place.run(words, { input: refreshToken, environment });
      assertEquals(outcome.code, code, `${words}: ${outcome.stderr}`);
      assert(!outcome.stderr.includes(refreshToken));
    }
  } finally {
    await session.stop();
  }
});

test("a first sign-in at a locked keyring is not begun, and spends no token", LIMIT, async () => {
  const session = await KeyringSession.start("locked");
  try {
    await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
    await using place = await EnterprisePlace.create(bed.configuration());
    const { refreshToken: input } = await foreignTokens(bed);
    const environment = { ...session.environment, TEST_KEYRING: "system" };
    bed.wire.clear();
    for (const way of ["--refresh-token-stdin", "--no-browser", "--device"]) {
      const { code, stderr } = await place.run(["login", way, "--yes"], { input, environment });
      assertEquals(code, 5, stderr);
      assertMatch(
        stderr,
        /^codex-mcp: KEYRING_LOCKED: .+ it is locked\. Unlock it, then run: codex-mcp login$/m,
      );
    }
    assertEquals(bed.wire.entries(), []);
    await session.unlock();
    const { code, stderr } = await place.run(["login", "--refresh-token-stdin", "--yes"], {
      input,
      environment,
    });
    assertEquals(code, 0, stderr);
  } finally {
    await session.stop();
  }
});
