/**
 * The table of retention and revocation at the enterprise servers of a host: what an event does to a thread, its
 * connection, its calls in flight and its status.
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

/** The enterprise servers with two threads of alice, connected, and nothing told yet. */
async function connected(
  bed: EnterpriseBed,
  options: Parameters<typeof startDesk>[1] = {},
): Promise<DeskHost> {
  const host = await startDesk(bed, options);
  await host.signIn("bob");
  await host.signIn("alice");
  for (const thread of ["one", "two"]) {
    host.enterprise.openThread(thread, ownerOf("alice"));
    await whoami(host.enterprise, thread);
  }
  assertEquals(host.told(), ["connected", "connected"]);
  return host;
}

test("another account: the call in flight returns, the next is refused, streams end, and going back revives nothing", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { enterprise } = host;
  const connection = await enterprise.connection("one", "notes");
  const stalled = bed.wire.nextStall("mcp.endpoint");
  const hold = bed.faults.hold("mcp.endpoint");
  const inFlight = whoIs(connection);
  await stalled;
  enterprise.setAccount("one", ownerOf("bob"));
  assertEquals(host.told(), ["authorization-revoked: account-changed"]);
  assertEquals([connection.revoked.aborted, connection.closed.aborted], [true, false]);
  assertEquals(enterprise.authorityOf("one", "notes"), null);
  const before = counts(bed);
  const next = await refused(() => whoIs(connection), "REAUTHORIZATION_REQUIRED");
  assertEquals(next.reason, "account-changed");
  hold.release();
  assertEquals((await inFlight).account, "alice");
  await new Promise<void>((resolve) => connection.closed.addEventListener("abort", () => resolve()));
  // bob is signed in, and a person has to let the thread work for him all the same
  for (const account of ["bob", "alice"]) {
    enterprise.setAccount("one", ownerOf(account));
    const error = await refused(() => whoami(enterprise, "one"), "REAUTHORIZATION_REQUIRED");
    assertEquals([error.reason, error === enterprise.refusal("one", "notes")], ["account-changed", false]);
    assertEquals(enterprise.status("notes", "one"), { kind: "reconnect", because: "account-changed" });
  }
  assertEquals(counts(bed), before, "something was sent for a thread that is revoked");
  assertEquals((await whoami(enterprise, "two")).account, "alice");
  enterprise.setAccount("one", ownerOf("bob"));
  assertEquals(await enterprise.reauthorize("one", "notes"), true);
  assertEquals((await whoami(enterprise, "one")).account, "bob");
  const again = await enterprise.connection("one", "notes");
  assertEquals([again.number, again.account], [2, ownerOf("bob")]);
  assertEquals(host.told(), ["disconnected", "connected"]);
  // a thread that is closed and comes again under its name is a new one; one that is revoked is not
  enterprise.setAccount("one", ownerOf("alice"));
  await enterprise.closeThread("one");
  enterprise.openThread("one", ownerOf("alice"));
  await refused(() => whoami(enterprise, "one"), "REAUTHORIZATION_REQUIRED");
  enterprise.openThread("three", ownerOf("alice"));
  assertEquals((await whoami(enterprise, "three")).account, "alice");
  await enterprise.close();
});

test("an account without a sign-in: the refusal says to sign in, and for whom it is needed is told once", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  host.enterprise.setAccount("one", ownerOf("alice-globex"));
  for (let round = 0; round < 3; round += 1) {
    await refused(() => whoami(host.enterprise, "one"), "SIGN_IN_REQUIRED");
  }
  assertEquals(await host.enterprise.reauthorize("one", "notes"), false);
  assertEquals(host.enterprise.status("notes", "one").kind, "signed-out");
  const needed = host.events.filter(({ kind }) => kind === "sign-in-needed");
  assertEquals(needed.map(({ account }) => account), [ownerOf("alice-globex")]);
  await host.signIn("alice-globex");
  assertEquals(await host.enterprise.reauthorize("one", "notes"), true);
  assertEquals((await whoami(host.enterprise, "one")).account, "alice-globex");
  await host.enterprise.close();
});

test("an account given to a thread that used nothing yet takes nothing away", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed, { ownerFrom: "host" });
  await signIn("alice");
  enterprise.openThread("one", null);
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  enterprise.setAccount("one", ownerOf("alice"));
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  enterprise.setAccount("one", { ...ownerOf("alice") });
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  await enterprise.close();
});

test("a sign-out ends the account's threads at once, and no other account's", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { enterprise, provider } = host;
  enterprise.openThread("bob", ownerOf("bob"));
  assertEquals((await whoami(enterprise, "bob")).account, "bob");
  host.told();
  const connection = await enterprise.connection("one", "notes");
  const report = await enterprise.signOut(ownerOf("alice"), provider.name);
  assertEquals([report.revoked, report.deleted], ["done", "done"]);
  assertEquals(host.told().slice(0, 2), Array(2).fill("authorization-revoked: signed-out"));
  assert(connection.revoked.aborted);
  assert(connection.revoked.reason instanceof EnterpriseError);
  assertEquals(connection.revoked.reason.code, "SIGN_IN_REQUIRED");
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(enterprise.status("notes", "one"), { kind: "signed-out", because: "signed-out" });
  assertEquals((await whoami(enterprise, "bob")).account, "bob");
  await enterprise.signIn(
    ownerOf("alice"),
    provider.name,
    () => recordOf(bed, { account: "alice", provider }),
  );
  // another sign-in does not revive a thread
  await refused(() => whoami(enterprise, "one"), "REAUTHORIZATION_REQUIRED");
  assertEquals(await enterprise.reauthorize("one", "notes"), true);
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  await enterprise.close();
});

test("a sign-in that replaces the grant, here or in another process, ends the old generation's connections", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { enterprise, provider } = host;
  const before = await enterprise.connection("one", "notes");
  const record = await host.signIn("alice");
  await refused(() => whoIs(before), "REAUTHORIZATION_REQUIRED");
  assertEquals(enterprise.status("notes", "one"), { kind: "reconnect", because: "replaced" });
  assertEquals(await enterprise.reauthorize("one", "notes"), true);
  const after = await enterprise.connection("one", "notes");
  assertEquals([after.number, after.grantGeneration], [2, record.generation]);
  assert(after.client !== before.client);
  host.told();
  await enterprise.signIn(
    ownerOf("alice"),
    provider.name,
    () => recordOf(bed, { account: "alice", provider }),
  );
  assert(host.told().includes("authorization-revoked: replaced"));
  assert(after.revoked.aborted);
  await enterprise.close();
});

test("an item that someone else deleted, and a keyring that locks later", async () => {
  await using bed = await startEnterpriseBed();
  const source = new LockableSource();
  const { enterprise, ...host } = await connected(bed, { source });
  source.locks = true;
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  await refused(() => whoami(enterprise, "one", "second"), "KEYRING_LOCKED");
  assertEquals(enterprise.status("notes", "one").kind, "keyring-locked");
  assertEquals(enterprise.refusal("one", "notes"), null);
  source.locks = false;
  assertEquals((await whoami(enterprise, "one", "second")).account, "alice");
  await source.locked(async (grants) => {
    await grants.remove((await grants.marker())?.current ?? "");
    await grants.signOut("ab".repeat(16));
  }, AbortSignal.timeout(5_000));
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(enterprise.status("notes", "one"), { kind: "signed-out", because: "deleted" });
  assert(host.told().includes("authorization-revoked: deleted"));
  await enterprise.close();
});

test("a configuration that becomes invalid revokes, one that cannot be read only blocks; accounts that come later know", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { enterprise } = host;
  const connection = await enterprise.connection("one", "notes");
  enterprise.unavailable();
  await refused(() => whoami(enterprise, "one"), "CONFIGURATION_UNAVAILABLE");
  enterprise.openThread("late", ownerOf("bob"));
  await refused(() => whoami(enterprise, "late"), "CONFIGURATION_UNAVAILABLE");
  assertEquals(enterprise.status("notes", "late").kind, "configuration-unavailable");
  await host.load();
  assertEquals([(await whoami(enterprise, "one")).account, (await whoami(enterprise, "late")).account], [
    "alice",
    "bob",
  ]);
  assertEquals(await enterprise.connection("one", "notes"), connection);
  assertEquals(
    host.told().filter((one) => one.startsWith("refreshed")),
    Array(2).fill("refreshed: configuration"),
  );
  const fault = {
    field: "mcp_servers.notes.url",
    layer: { kind: "administrator", source: "managed.toml" },
  } as const;
  enterprise.reject(fault);
  assertEquals(host.told(), Array(3).fill("authorization-revoked: configuration-rejected"));
  enterprise.unavailable();
  enterprise.openThread("later", ownerOf("bob"));
  for (const thread of ["one", "late", "later"]) {
    const error = await refused(() => whoami(enterprise, thread), "CONFIGURATION_REFUSED");
    assertEquals(error.field, fault.field);
    assertEquals(enterprise.status("notes", thread), { kind: "configuration-rejected", ...fault });
  }
  await assertRejects(() => enterprise.reauthorize("one", "notes"), EnterpriseError);
  await host.load();
  await refused(() => whoami(enterprise, "one"), "REAUTHORIZATION_REQUIRED");
  assertEquals((await whoami(enterprise, "later")).account, "bob");
  assertEquals(await enterprise.reauthorize("one", "notes"), true);
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  await enterprise.close();
});

test("a changed registration, a server that is removed, switched off or disabled: its own threads alone", async () => {
  await using bed = await startEnterpriseBed();
  const host = await connected(bed);
  const { enterprise } = host;
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
    await whoami(enterprise, "one", "second");
    host.told();
    await host.load(changed);
    assert(host.told().includes(`authorization-revoked: ${reason}`), reason);
    await refused(() => whoami(enterprise, "one"), code);
    if ("without" in changed) assertEquals((await whoami(enterprise, "one", "second")).account, "alice");
    enterprise.openThread(`late-${reason}`, ownerOf("alice"));
    if (code === "SERVER_DISABLED") {
      const late = await assertRejects(() => whoami(enterprise, `late-${reason}`));
      assert(late instanceof EnterpriseError || late instanceof HostError && late.code === "SERVER_UNKNOWN");
    }
    await host.load();
    for (const server of ["notes", "second"]) {
      assertEquals(await enterprise.reauthorize("one", server), true, reason);
    }
    assertEquals((await whoami(enterprise, "one")).account, "alice");
  }
  await enterprise.close();
});

test("what blocks a server blocks it for the account that met it, and for no other", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startDesk(bed);
  const { enterprise } = host;
  for (const account of ["alice", "bob"]) {
    await storeRecord(host.source, await recordOf(bed, { account, provider: host.provider }));
    enterprise.openThread(account, ownerOf(account));
  }
  bed.idp.controls.denials = [{ account: "bob", error: "access_denied" }];
  const [alice] = await Promise.allSettled([whoami(enterprise, "alice"), whoami(enterprise, "bob")]);
  assertEquals(alice?.status === "fulfilled" && alice.value.account, "alice");
  await refused(() => whoami(enterprise, "bob"), "ADMINISTRATOR_REFUSED");
  assertEquals(enterprise.status("notes", "bob").kind, "administrator-denied");
  assertEquals(enterprise.status("notes", "alice").kind, "ready");
  bed.restore();
  await refused(() => whoami(enterprise, "bob"), "ADMINISTRATOR_REFUSED");
  assertEquals(await enterprise.reauthorize("bob", "notes"), true);
  assertEquals((await whoami(enterprise, "bob")).account, "bob");
  bed.turn("mcp-unauthorized-always");
  await refused(() => whoami(enterprise, "bob"), "REAUTHORIZATION_REQUIRED");
  bed.restore();
  assertEquals((await whoami(enterprise, "alice")).account, "alice");
  assertEquals(await enterprise.reauthorize("bob", "notes"), true);
  assertEquals((await whoami(enterprise, "bob")).account, "bob");
  bed.turn("mcp.endpoint-503");
  await refused(() => whoami(enterprise, "bob"), "TEMPORARILY_UNAVAILABLE");
  bed.restore();
  assertEquals((await whoami(enterprise, "bob")).account, "bob");
  await enterprise.close();
});
