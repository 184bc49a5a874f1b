/**
 * The table of retention and revocation, the rows about account, grant, keyring and configuration, over the whole test
 * bed: what happens to the grant, to leases, to threads and to the status.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import { select, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { LockableSource, ownerOf, refused, remove, SECOND, stored, USE } from "./checks.ts";
import { recordOf, startHost } from "./host.ts";

test("another account: its grant is asked for, leases and threads are void, grants are kept", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed, { ownerFrom: "host" });
  const record = await host.signIn("alice");
  await host.tokens.setAccount(ownerOf("alice"));
  await host.tokens.token(USE);
  const { aborted } = host.tokens.revocation(USE);
  const signal = host.tokens.revocation(USE);
  await host.tokens.setAccount(ownerOf("bob"));
  assertEquals([aborted, signal.aborted], [false, true]);
  await refused(host, "SIGN_IN_REQUIRED");
  assertEquals(host.tokens.status("notes").kind, "signed-out");
  await host.tokens.setAccount(ownerOf("alice"));
  assertEquals((await stored(host))?.generation, record.generation);
  assertEquals(host.tokens.status("notes").kind, "ready");
  // the thread was another account's for a while: a person lets it on
  await refused(host, "REAUTHORIZATION_REQUIRED");
  assertEquals(await host.tokens.reauthorizeThread(USE), true);
  await host.tokens.token(USE);
  await host.tokens.setAccount(null);
  await refused(host, "SIGN_IN_REQUIRED");
});

test("the workspace is part of the account", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed, { ownerFrom: "host" });
  await host.signIn("alice");
  await host.tokens.setAccount(ownerOf("alice"));
  await host.tokens.token(USE);
  await host.tokens.setAccount({ ...ownerOf("alice"), workspace: "globex" });
  await refused(host, "SIGN_IN_REQUIRED");
});

test("a sign-out revokes at the identity provider, deletes, and voids everything", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  const record = await host.signIn();
  await host.tokens.token(USE);
  const report = await host.tokens.signOut("default");
  assertEquals(report, { voided: "done", deleted: "done", revoked: "done" });
  assertEquals(await stored(host), null);
  assert((await host.source.marker(AbortSignal.timeout(5_000)))?.generation !== record.generation);
  await refused(host, "SIGN_IN_REQUIRED");
  assertEquals(host.tokens.status("notes"), { kind: "signed-out", because: "signed-out" });
  assertEquals(select(bed.wire.entries(), { endpoint: "idp.revocation" }).length, 1);
});

test("a sign-out that the identity provider does not answer still deletes, and says so", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  await host.tokens.token(USE);
  bed.turn("idp.revocation-503");
  const report = await host.tokens.signOut("default");
  assert(report.revoked instanceof EnterpriseError);
  assertEquals(report.deleted, "done");
  assertEquals(await stored(host), null);
});

test("another sign-in, in another process: the old generation's threads and leases are void", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const first = await host.tokens.token(USE);
  await host.signIn();
  await refused(host, "REAUTHORIZATION_REQUIRED");
  assertEquals(host.tokens.status("notes", "one"), { kind: "reconnect", because: "replaced" });
  assertEquals(host.tokens.status("notes").kind, "ready");
  await host.tokens.openThread(USE);
  await refused(host, "REAUTHORIZATION_REQUIRED");
  await host.tokens.reauthorizeThread(USE);
  assert(await host.tokens.token(USE) !== first);
});

test("a sign-in of the host itself, and one that came too late", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.tokens.signIn("default", () => recordOf(bed, { account: "alice", provider: host.provider }));
  await host.tokens.token(USE);
  const late = Promise.withResolvers<GrantRecord>();
  let signal: AbortSignal | undefined;
  const signIn = host.tokens.signIn("default", (given) => {
    signal = given;
    return late.promise;
  });
  await host.tokens.signOut("default");
  assertEquals(signal?.aborted, true);
  late.resolve(await recordOf(bed, { account: "alice", provider: host.provider }));
  assertEquals((await assertRejects(() => signIn, EnterpriseError)).code, "SUPERSEDED");
  assertEquals(await stored(host), null);
});

test("an item that someone else deleted", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  await host.tokens.token(USE);
  await remove(host);
  await refused(host, "SIGN_IN_REQUIRED");
  assertEquals(host.tokens.status("notes"), { kind: "signed-out", because: "deleted" });
});

test("a keyring that locks later keeps grant, leases and threads, and gives nothing new", async () => {
  await using bed = await startEnterpriseBed();
  const source = new LockableSource();
  const host = await startHost(bed, { source });
  await host.signIn();
  const first = await host.tokens.token(USE);
  source.locks = true;
  assertEquals(await host.tokens.token(USE), first);
  await refused(host, "KEYRING_LOCKED", SECOND);
  assertEquals(host.tokens.status("notes").kind, "keyring-locked");
  assertEquals(await host.tokens.token(USE), first);
  host.clock.shift = 301;
  await refused(host, "KEYRING_LOCKED");
  source.locks = false;
  await host.tokens.token(USE);
  assertEquals(host.tokens.status("notes").kind, "ready");
});

test("a marker that cannot be read makes everything unusable, until it can", async () => {
  await using bed = await startEnterpriseBed();
  const source = new LockableSource();
  const host = await startHost(bed, { source });
  await host.signIn();
  const first = await host.tokens.token(USE);
  source.unreadable = true;
  await refused(host, "MARKER_MALFORMED");
  assertEquals(host.tokens.status("notes").kind, "marker-unreadable");
  source.unreadable = false;
  assertEquals(await host.tokens.token(USE), first);
});

test("a configuration that becomes invalid revokes, one that cannot be read only blocks", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  const record = await host.signIn();
  const first = await host.tokens.token(USE);
  host.tokens.configurationUnavailable();
  await refused(host, "CONFIGURATION_UNAVAILABLE");
  assertEquals(host.tokens.status("notes").kind, "configuration-unavailable");
  await host.load({});
  assertEquals(await host.tokens.token(USE), first);
  await host.load({ idp: { issuer: "http://idp.example" } });
  const error = await refused(host, "CONFIGURATION_REFUSED");
  assertEquals(error.field, "mcp_enterprise_managed_auth.idp.issuer");
  const status = host.tokens.status("notes");
  assert(status.kind === "configuration-rejected" && status.layer?.source === "config.toml");
  await host.load({});
  await refused(host, "REAUTHORIZATION_REQUIRED");
  assertEquals((await stored(host))?.generation, record.generation);
});

test("a changed registration voids that server's threads and leases alone", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const first = await host.tokens.token(USE);
  await host.load({});
  assertEquals(await host.tokens.token(USE), first, "a reload of the same configuration lost the lease");
  await host.load({ server: { scopes: ["notes:read", "notes:write"] } });
  await refused(host, "REAUTHORIZATION_REQUIRED");
  assertEquals(host.tokens.status("notes", "one"), { kind: "reconnect", because: "registration-changed" });
  await host.load({ server: { auth: "oauth" } });
  const error = await refused(host, "SERVER_DISABLED");
  assertEquals(host.tokens.status("notes").kind, "disabled", error.message);
});
