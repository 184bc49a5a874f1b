/**
 * The command line against a real OIDC provider: every way to sign in, what is stored and shown, and what a sign-out
 * leaves behind.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  type EnterpriseBed,
  findSecret,
  select,
  startEnterpriseBed,
} from "../../../fixtures/enterprise/mod.ts";
import { EnterprisePlace } from "../../../fixtures/enterprise_cli/place.ts";
import { foreignTokens } from "../../../fixtures/enterprise_cli/tokens.ts";

const LIMIT = { timeout: 120_000 };
const PAGE = /^(http:\S+\/auth\S*)$/m;

/** Signs in with the callback pasted, and gives back the address that was shown. */
async function pasteBack(bed: EnterpriseBed, place: EnterprisePlace): Promise<string> {
  const run = place.start(["login", "--no-browser", "--yes"], { keep: true });
  const [, page = ""] = await run.told(PAGE);
  await run.type("");
  await run.type("https://elsewhere.example/callback?code=1");
  await run.told(/That is not it/);
  await run.type((await bed.browse(page)).href);
  const { code, stdout, stderr } = await run.outcome;
  assertEquals(code, 0, stderr);
  assertMatch(
    stdout,
    /^Signed in as alice@acme\.example \(user-alice\), workspace acme at .+\.\nServers that use it: notes, second\.\n$/,
  );
  return page;
}

test("with the callback pasted; status, token and logout follow", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "keycloak-confidential" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const query = new URL(await pasteBack(bed, place)).searchParams;
  for (const name of ["state", "nonce", "code_challenge"]) assert((query.get(name) ?? "").length >= 43, name);
  const [item] = Object.values(place.keyring.items);
  const stored = JSON.parse(item ?? "{}");
  assertEquals([stored.issuer, stored.user, stored.workspace, stored.revision], [
    bed.idp.issuer,
    "user-alice",
    "acme",
    0,
  ]);
  assert(!JSON.stringify(stored).includes("access_token"));
  const status = await place.run(["status", "--json"]);
  assertEquals(status.code, 0);
  const [notes] = JSON.parse(status.stdout).servers;
  assertEquals([notes.status.kind, notes.account.name, notes.until], ["ready", "alice@acme.example", null]);
  const token = await place.run(["token", "notes"]);
  assertEquals(token.code, 0, token.stderr);
  assertMatch(token.stdout, /^\S+\n$/);
  const json = await place.run(["token", "notes", "--json"]);
  assertEquals([JSON.parse(json.stdout).url, json.stderr], [bed.mcp.url, ""]);
  const logout = await place.run(["logout"]);
  assertEquals(logout.code, 0, logout.stderr);
  assertStringIncludes(logout.stdout, "The identity provider has revoked the sign-in.");
  assertEquals(place.keyring.items, {});
  assertEquals([(await place.run(["token", "notes"])).code, (await place.run(["status"])).code], [4, 4]);
  assertEquals((await place.run(["logout"])).code, 0);
  const [revocation] = select(bed.wire.entries(), { endpoint: "idp.revocation" });
  assert(findSecret(revocation === undefined ? [] : [revocation], stored.refresh_token).length === 1);
});

test("with the callback at the loopback address, and a browser that one program opens", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const bin = place.environment["PATH"] ?? "";
  await mkdir(bin);
  const opener = join(bin, "xdg-open");
  await writeFile(
    opener,
    `#!/bin/sh\n/usr/bin/env > "${bin}/variables"\nprintf '%s\\n' "$@" > "${bin}/new"\n/bin/mv "${bin}/new" "${bin}/words"\n`,
  );
  await chmod(opener, 0o755);
  const run = place.start(["login"], { keep: true, environment: { IDP_SECRET: "hush-hush" } });
  const [, page = ""] = await run.told(PAGE);
  const words = await until(() => readFile(join(bin, "words"), "utf8"));
  assert(!words.includes("state="), "the command line of the browser holds nothing of the sign-in");
  const entrance = await fetch(words.trim(), { redirect: "manual" });
  await entrance.body?.cancel();
  assertEquals(entrance.headers.get("location"), page);
  const callback = await bed.browse(page);
  const answer = await (await fetch(callback)).text();
  assertStringIncludes(answer, "Go back to the terminal");
  for (const secret of [callback.searchParams.get("code") ?? "-", ...bed.secretsInPlay()]) {
    assert(!answer.includes(secret));
  }
  await run.told(/^This is alice@acme\.example \(user-alice\), workspace acme, at .+\.$/m);
  await run.type("y");
  const { code, stderr } = await run.outcome;
  assertEquals(code, 0, stderr);
  const variables = await readFile(join(bin, "variables"), "utf8");
  assert(variables.includes(`HOME=${place.home}`) && !variables.includes("hush-hush"), variables);
  // the same account again is expected, and asked for no more
  const again = place.start(["login", "--json"], { keep: true });
  const [, second = ""] = await again.told(PAGE);
  await (await fetch(await bed.browse(second))).text();
  const { code: exit, stdout } = await again.outcome;
  assertEquals([exit, JSON.parse(stdout).account], [0, {
    name: "alice@acme.example",
    user: "user-alice",
    workspace: "acme",
  }]);
});

/** What `read` gives once it gives anything. */
async function until<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const found = await read().then((value) => ({ value }), () => null);
    if (found !== null) return found.value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return await read();
}

test("an account that nobody confirms is not stored", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  for (const answer of ["n", ""]) {
    const run = place.start(["login", "--no-browser"], { keep: true });
    const [, page = ""] = await run.told(PAGE);
    await run.type((await bed.browse(page)).href);
    await run.told(/Store this sign-in\?/);
    await run.type(answer);
    const { code, stderr } = await run.outcome;
    assertEquals(code, 3);
    assertMatch(stderr, /IDENTITY_REFUSED: .*nobody confirmed/);
  }
  assertEquals(place.keyring.items, {});
});

test("on another device, with a code", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const run = place.start(["login", "--device", "--yes", "--json"], { keep: true });
  const [, code = ""] = await run.told(/enter the code (\S+):\n/);
  await bed.approveDevice(code, "bob");
  const { code: exit, stdout, stderr } = await run.outcome;
  assertEquals(exit, 0, stderr);
  assertEquals(JSON.parse(stdout).account.user, "user-bob");
});

test("with a token from standard input, never from the command line", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const tokens = await foreignTokens(bed);
  const idToken = await place.run(["login", "--id-token-stdin", "--yes"], { input: `${tokens.idToken}\n` });
  assertEquals(idToken.code, 0, idToken.stderr);
  assertMatch(idToken.stdout, /Without a refresh token, until \d{4}-/);
  const { servers: [notes] } = JSON.parse((await place.run(["status", "--json"])).stdout);
  assert(notes.status.kind === "ready" && notes.until > Date.now() / 1000);
  assertEquals((await place.run(["token", "notes"])).code, 0);
  const refused = await place.run(["login", "--id-token-stdin"], { input: `${tokens.idToken}x\n` });
  assertEquals(refused.code, 3, refused.stderr);
  const refresh = await place.run(["login", "--refresh-token-stdin", "--yes"], {
    input: tokens.refreshToken,
  });
  assertEquals(refresh.code, 0, refresh.stderr);
  const [stored] = Object.values(place.keyring.items).map((text) => JSON.parse(text));
  assert(stored.refresh_token !== tokens.refreshToken, "the rotated one is stored");
  const unasked = await place.run(["login", "--refresh-token-stdin"], { input: `${stored.refresh_token}\n` });
  assertEquals(unasked.code, 0, "the same account as before needs no answer");
});

test("a fixed port, and one that is taken", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const text = bed.configuration().replace("client_id =", `redirect_port = ${port}\nclient_id =`);
  await using place = await EnterprisePlace.create(text);
  const blocked = await place.run(["login", "--no-browser", "--yes"]);
  assertEquals(blocked.code, 5);
  assertMatch(blocked.stderr, new RegExp(`TEMPORARILY_UNAVAILABLE: .*127\\.0\\.0\\.1:${port}.*taken`));
  taken.close();
  const run = place.start(["login", "--no-browser", "--yes"], { keep: true });
  const [, page = ""] = await run.told(PAGE);
  assertEquals(new URL(page).searchParams.get("redirect_uri"), `http://127.0.0.1:${port}/callback`);
  await (await fetch(await bed.browse(page))).text();
  assertEquals((await run.outcome).code, 0);
});

test("a sign-in that another one overtakes is not stored", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create(bed.configuration());
  const slow = place.start(["login", "--no-browser", "--yes"], { keep: true });
  const [, page = ""] = await slow.told(PAGE);
  await pasteBack(bed, place);
  const before = place.keyring;
  await slow.type((await bed.browse(page)).href);
  const { code, stderr } = await slow.outcome;
  assertEquals(code, 5);
  assertMatch(stderr, /SUPERSEDED: /);
  assertEquals(place.keyring, before);
});

test("the file that --config names is used, and counts as what it is", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  await using place = await EnterprisePlace.create("");
  const named = join(dirname(place.home), "named.toml");
  await writeFile(named, bed.configuration(), { mode: 0o600 });
  assertEquals((await place.run(["status", "--config", named])).code, 4);
  await chmod(named, 0o666);
  const open = await place.run(["status", "--config", named]);
  assertEquals(open.code, 3);
  assertMatch(open.stderr, /counts as the project's: others may write it/);
  await writeFile(join(place.workspace, "config.toml"), bed.configuration());
  const inside = await place.run(["status", "--config", "config.toml"]);
  assertEquals(inside.code, 3);
  assertMatch(inside.stdout, /LAYER_NOT_TRUSTED/);
});
