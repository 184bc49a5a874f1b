/**
 * The table of retention and revocation at the desk of a host: what an event does to a thread, its connection, its
 * calls in flight and its status.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { HostError } from "../../../../core/errors.ts";
import { type EnterpriseBed, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { counts, type DeskHost, refused, startDesk, storeRecord, whoami, whoIs } from "./host.ts";
import { LockableSource, ownerOf } from "../tokens/checks.ts";
import { recordOf } from "../tokens/host.ts";

/** A desk with two threads of alice, connected, and nothing told yet. */
async function connected(
  bed: EnterpriseBed,
  options: Parameters<typeof startDesk>[1] = {},
): Promise<DeskHost> {
  const host = await startDesk(bed, options);
  await host.signIn("bob");
  await host.signIn("alice");
  for (const thread of ["one", "two"]) {
    host.desk.openThread(thread, ownerOf("alice"));
    await whoami(host.desk, thread);
  }
  assertEquals(host.told(), ["connected", "connected"]);
  return host;
}

test("another account: the call in flight returns, the next is refused, streams end, and going back revives nothing", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { desk } = host;
  const connection = await desk.connection("one", "notes");
  const stalled = bed.wire.nextStall("mcp.endpoint");
  const hold = bed.faults.hold("mcp.endpoint");
  const inFlight = whoIs(connection);
  await stalled;
  desk.setAccount("one", ownerOf("bob"));
  assertEquals(host.told(), ["authorization-revoked: account-changed"]);
  assertEquals([connection.revoked.aborted, connection.closed.aborted], [true, false]);
  assertEquals(desk.authorityOf("one", "notes"), null);
  const before = counts(bed);
  const next = await refused(() => whoIs(connection), "REAUTHORIZATION_REQUIRED");
  assertEquals(next.reason, "account-changed");
  hold.release();
  assertEquals((await inFlight).account, "alice");
  await new Promise<void>((resolve) => connection.closed.addEventListener("abort", () => resolve()));
  // bob is signed in, and a person has to let the thread work for him all the same
  for (const account of ["bob", "alice"]) {
    desk.setAccount("one", ownerOf(account));
    const error = await refused(() => whoami(desk, "one"), "REAUTHORIZATION_REQUIRED");
    assertEquals([error.reason, error === desk.refusal("one", "notes")], ["account-changed", false]);
    assertEquals(desk.status("notes", "one"), { kind: "reconnect", because: "account-changed" });
  }
  assertEquals(counts(bed), before, "something was sent for a thread that is revoked");
  assertEquals((await whoami(desk, "two")).account, "alice");
  desk.setAccount("one", ownerOf("bob"));
  assertEquals(await desk.reauthorize("one", "notes"), true);
  assertEquals((await whoami(desk, "one")).account, "bob");
  const again = await desk.connection("one", "notes");
  assertEquals([again.number, again.account], [2, ownerOf("bob")]);
  assertEquals(host.told(), ["disconnected", "connected"]);
  // a thread that is closed and comes again under its name is a new one; one that is revoked is not
  desk.setAccount("one", ownerOf("alice"));
  await desk.closeThread("one");
  desk.openThread("one", ownerOf("alice"));
  await refused(() => whoami(desk, "one"), "REAUTHORIZATION_REQUIRED");
  desk.openThread("three", ownerOf("alice"));
  assertEquals((await whoami(desk, "three")).account, "alice");
  await desk.close();
});

test("an account without a sign-in: the refusal says to sign in, and for whom it is needed is told once", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  host.desk.setAccount("one", ownerOf("alice-globex"));
  for (let round = 0; round < 3; round += 1) {
    await refused(() => whoami(host.desk, "one"), "SIGN_IN_REQUIRED");
  }
  assertEquals(await host.desk.reauthorize("one", "notes"), false);
  assertEquals(host.desk.status("notes", "one").kind, "signed-out");
  const needed = host.events.filter(({ kind }) => kind === "sign-in-needed");
  assertEquals(needed.map(({ account }) => account), [ownerOf("alice-globex")]);
  await host.signIn("alice-globex");
  assertEquals(await host.desk.reauthorize("one", "notes"), true);
  assertEquals((await whoami(host.desk, "one")).account, "alice-globex");
  await host.desk.close();
});

test("an account given to a thread that used nothing yet takes nothing away", async () => {
  await using bed = await startEnterpriseBed();
  const { desk, signIn } = await startDesk(bed, { ownerFrom: "host" });
  await signIn("alice");
  desk.openThread("one", null);
  await refused(() => whoami(desk, "one"), "SIGN_IN_REQUIRED");
  desk.setAccount("one", ownerOf("alice"));
  assertEquals((await whoami(desk, "one")).account, "alice");
  desk.setAccount("one", { ...ownerOf("alice") });
  assertEquals((await whoami(desk, "one")).account, "alice");
  await desk.close();
});

test("a sign-out ends the account's threads at once, and no other account's", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { desk, provider } = host;
  desk.openThread("bob", ownerOf("bob"));
  assertEquals((await whoami(desk, "bob")).account, "bob");
  host.told();
  const connection = await desk.connection("one", "notes");
  const report = await desk.signOut(ownerOf("alice"), provider.name);
  assertEquals([report.revoked, report.deleted], ["done", "done"]);
  assertEquals(host.told().slice(0, 2), Array(2).fill("authorization-revoked: signed-out"));
  assert(connection.revoked.aborted);
  assert(connection.revoked.reason instanceof EnterpriseError);
  assertEquals(connection.revoked.reason.code, "SIGN_IN_REQUIRED");
  await refused(() => whoami(desk, "one"), "SIGN_IN_REQUIRED");
  assertEquals(desk.status("notes", "one"), { kind: "signed-out", because: "signed-out" });
  assertEquals((await whoami(desk, "bob")).account, "bob");
  await desk.signIn(ownerOf("alice"), provider.name, () => recordOf(bed, { account: "alice", provider }));
  // another sign-in does not revive a thread
  await refused(() => whoami(desk, "one"), "REAUTHORIZATION_REQUIRED");
  assertEquals(await desk.reauthorize("one", "notes"), true);
  assertEquals((await whoami(desk, "one")).account, "alice");
  await desk.close();
});

test("a sign-in that replaces the grant, here or in another process, ends the old generation's connections", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { desk, provider } = host;
  const before = await desk.connection("one", "notes");
  const record = await host.signIn("alice");
  await refused(() => whoIs(before), "REAUTHORIZATION_REQUIRED");
  assertEquals(desk.status("notes", "one"), { kind: "reconnect", because: "replaced" });
  assertEquals(await desk.reauthorize("one", "notes"), true);
  const after = await desk.connection("one", "notes");
  assertEquals([after.number, after.grantGeneration], [2, record.generation]);
  assert(after.client !== before.client);
  host.told();
  await desk.signIn(ownerOf("alice"), provider.name, () => recordOf(bed, { account: "alice", provider }));
  assert(host.told().includes("authorization-revoked: replaced"));
  assert(after.revoked.aborted);
  await desk.close();
});

test("an item that someone else deleted, and a keyring that locks later", async () => {
  await using bed = await startEnterpriseBed();
  const source = new LockableSource();
  const { desk, ...host } = await connected(bed, { source });
  source.locks = true;
  assertEquals((await whoami(desk, "one")).account, "alice");
  await refused(() => whoami(desk, "one", "second"), "KEYRING_LOCKED");
  assertEquals(desk.status("notes", "one").kind, "keyring-locked");
  assertEquals(desk.refusal("one", "notes"), null);
  source.locks = false;
  assertEquals((await whoami(desk, "one", "second")).account, "alice");
  await source.locked(async (grants) => {
    await grants.remove((await grants.marker())?.current ?? "");
    await grants.signOut("ab".repeat(16));
  }, AbortSignal.timeout(5_000));
  await refused(() => whoami(desk, "one"), "SIGN_IN_REQUIRED");
  assertEquals(desk.status("notes", "one"), { kind: "signed-out", because: "deleted" });
  assert(host.told().includes("authorization-revoked: deleted"));
  await desk.close();
});

test("a configuration that becomes invalid revokes, one that cannot be read only blocks; accounts that come later know", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { desk } = host;
  const connection = await desk.connection("one", "notes");
  desk.unavailable();
  await refused(() => whoami(desk, "one"), "CONFIGURATION_UNAVAILABLE");
  desk.openThread("late", ownerOf("bob"));
  await refused(() => whoami(desk, "late"), "CONFIGURATION_UNAVAILABLE");
  assertEquals(desk.status("notes", "late").kind, "configuration-unavailable");
  await host.load();
  assertEquals([(await whoami(desk, "one")).account, (await whoami(desk, "late")).account], ["alice", "bob"]);
  assertEquals(await desk.connection("one", "notes"), connection);
  assertEquals(
    host.told().filter((one) => one.startsWith("refreshed")),
    Array(2).fill("refreshed: configuration"),
  );
  const fault = {
    field: "mcp_servers.notes.url",
    layer: { kind: "administrator", source: "managed.toml" },
  } as const;
  desk.reject(fault);
  assertEquals(host.told(), Array(3).fill("authorization-revoked: configuration-rejected"));
  desk.unavailable();
  desk.openThread("later", ownerOf("bob"));
  for (const thread of ["one", "late", "later"]) {
    const error = await refused(() => whoami(desk, thread), "CONFIGURATION_REFUSED");
    assertEquals(error.field, fault.field);
    assertEquals(desk.status("notes", thread), { kind: "configuration-rejected", ...fault });
  }
  await assertRejects(() => desk.reauthorize("one", "notes"), EnterpriseError);
  await host.load();
  await refused(() => whoami(desk, "one"), "REAUTHORIZATION_REQUIRED");
  assertEquals((await whoami(desk, "later")).account, "bob");
  assertEquals(await desk.reauthorize("one", "notes"), true);
  assertEquals((await whoami(desk, "one")).account, "alice");
  await desk.close();
});

test("a changed registration, a server that is removed, switched off or disabled: its own threads alone", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { desk } = host;
  const changes = [
    [
      { server: { scopes: ["notes:read", "notes:write"] } },
      "registration-changed",
      "REAUTHORIZATION_REQUIRED",
    ],
    [{ without: ["notes"] }, "server-removed", "SERVER_DISABLED"],
    [{ server: { enabled: false } }, "server-disabled", "SERVER_DISABLED"],
    [{ feature: false }, "server-disabled", "SERVER_DISABLED"],
  ] as const;
  for (const [changed, reason, code] of changes) {
    await whoami(desk, "one", "second");
    host.told();
    await host.load(changed);
    assert(host.told().includes(`authorization-revoked: ${reason}`), reason);
    await refused(() => whoami(desk, "one"), code);
    if ("without" in changed) assertEquals((await whoami(desk, "one", "second")).account, "alice");
    desk.openThread(`late-${reason}`, ownerOf("alice"));
    if (code === "SERVER_DISABLED") {
      const late = await assertRejects(() => whoami(desk, `late-${reason}`));
      assert(late instanceof EnterpriseError || late instanceof HostError && late.code === "SERVER_UNKNOWN");
    }
    await host.load();
    for (const server of ["notes", "second"]) {
      assertEquals(await desk.reauthorize("one", server), true, reason);
    }
    assertEquals((await whoami(desk, "one")).account, "alice");
  }
  await desk.close();
});

test("what blocks a server blocks it for the account that met it, and for no other", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startDesk(bed);
  const { desk } = host;
  for (const account of ["alice", "bob"]) {
    await storeRecord(host.source, await recordOf(bed, { account, provider: host.provider }));
    desk.openThread(account, ownerOf(account));
  }
  bed.idp.controls.denials = [{ account: "bob", error: "access_denied" }];
  const [alice] = await Promise.allSettled([whoami(desk, "alice"), whoami(desk, "bob")]);
  assertEquals(alice?.status === "fulfilled" && alice.value.account, "alice");
  await refused(() => whoami(desk, "bob"), "ADMINISTRATOR_REFUSED");
  assertEquals(desk.status("notes", "bob").kind, "administrator-denied");
  assertEquals(desk.status("notes", "alice").kind, "ready");
  bed.restore();
  await refused(() => whoami(desk, "bob"), "ADMINISTRATOR_REFUSED");
  assertEquals(await desk.reauthorize("bob", "notes"), true);
  assertEquals((await whoami(desk, "bob")).account, "bob");
  bed.turn("mcp-unauthorized-always");
  await refused(() => whoami(desk, "bob"), "REAUTHORIZATION_REQUIRED");
  bed.restore();
  assertEquals((await whoami(desk, "alice")).account, "alice");
  assertEquals(await desk.reauthorize("bob", "notes"), true);
  assertEquals((await whoami(desk, "bob")).account, "bob");
  bed.turn("mcp.endpoint-503");
  await refused(() => whoami(desk, "bob"), "TEMPORARILY_UNAVAILABLE");
  bed.restore();
  assertEquals((await whoami(desk, "bob")).account, "bob");
  await desk.close();
});
