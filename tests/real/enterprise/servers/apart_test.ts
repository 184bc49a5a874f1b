/**
 * Threads of different accounts side by side at one host: no token, connection or result is shared, and the wire shows
 * it. Threads of one account share what they may.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { findSecret, select, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { counts, refused, type Seen, startDesk, whoami, whoIs } from "./host.ts";
import { ownerOf } from "../tokens/checks.ts";
import { recordOf } from "../tokens/host.ts";

const ACCOUNTS = ["alice", "bob", "alice-globex"];

test("threads of several accounts never see each other's tokens, connections or results", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  for (const account of ACCOUNTS) await signIn(account);
  bed.wire.clear();
  const names = Array.from({ length: 12 }, (_, index) => `thread-${index}`);
  for (const [index, thread] of names.entries()) {
    enterprise.openThread(thread, ownerOf(ACCOUNTS[index % 3] ?? ""));
  }
  const seen = await Promise.all(names.map((thread) => whoami(enterprise, thread)));
  for (const [index, one] of seen.entries()) assertEquals(one.account, ACCOUNTS[index % 3]);
  assertEquals(new Set(seen.map(({ token }) => token)).size, 3);
  // one exchange and one redemption for each account, whatever the number of its threads
  assertEquals(counts(bed), { exchange: 3, redemption: 3, mcp: 24 });
  const connections = await Promise.all(names.map((thread) => enterprise.connection(thread, "notes")));
  assertEquals(new Set(connections.map(({ client }) => client)).size, 12);
  assertEquals(new Set(connections.map(({ grantGeneration }) => grantGeneration)).size, 3);
  for (const [index, one] of connections.entries()) {
    assertEquals(one.account, ownerOf(ACCOUNTS[index % 3] ?? ""));
    assertEquals([one.number, one.era, one.transport, one.extension], [1, "modern", "http", "advertised"]);
    const authority = enterprise.authorityOf(names[index] ?? "", "notes");
    assertEquals(authority, { account: one.account, generation: one.grantGeneration });
  }
  await enterprise.close();
});

test("each account's bearer is sent for its own threads alone", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  const sent: Record<string, Set<string>> = {};
  for (const account of ["alice", "bob"]) {
    await signIn(account);
    enterprise.openThread(account, ownerOf(account));
    bed.wire.clear();
    await whoami(enterprise, account);
    await whoami(enterprise, account, "second");
    const bearers = select(bed.wire.entries(), { site: "mcp" }).map(({ headers }) =>
      headers["authorization"]
    );
    sent[account] = new Set(bearers.filter((one) => one !== undefined));
  }
  bed.wire.clear();
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => whoami(enterprise, index % 2 === 0 ? "alice" : "bob")),
  );
  const used = select(bed.wire.entries(), { endpoint: "mcp.endpoint" });
  assertEquals(used.length, 10);
  assertEquals([sent["alice"]?.size, sent["bob"]?.size], [2, 2]);
  for (const bearer of sent["alice"] ?? []) assert(!sent["bob"]?.has(bearer));
  // no header of ours that names a connection ever leaves
  assert(used.every(({ headers }) => Object.keys(headers).every((name) => !name.startsWith("x-codex"))));
  await enterprise.close();
});

test("fifty threads of one account that begin at once make one exchange and one redemption", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  await signIn("alice");
  bed.wire.clear();
  const names = Array.from({ length: 50 }, (_, index) => `thread-${index}`);
  for (const thread of names) enterprise.openThread(thread, ownerOf("alice"));
  const seen = await Promise.all(names.map((thread) => whoami(enterprise, thread)));
  assertEquals(new Set(seen.map(({ token }) => token)).size, 1);
  assertEquals(counts(bed), { exchange: 1, redemption: 1, mcp: 100 });
  // and so do fifty calls of one thread: one connection
  enterprise.openThread("many", ownerOf("alice"));
  const many = await Promise.all(names.map(() => enterprise.connection("many", "notes")));
  assertEquals(new Set(many).size, 1);
  assertEquals(counts(bed).exchange, 1);
  await enterprise.close();
});

test("a host without accounts works for whoever is signed in, and one with accounts never does", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startDesk(bed);
  host.enterprise.openThread("one", null);
  await refused(() => whoami(host.enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(host.told(), ["sign-in-needed"]);
  await host.signIn("bob");
  assertEquals((await whoami(host.enterprise, "one")).account, "bob");
  assertEquals((await host.enterprise.connection("one", "notes")).account, null);
  await host.enterprise.close();
  const other = await startDesk(bed, { source: host.source, ownerFrom: "host" });
  other.enterprise.openThread("one", null);
  const error = await refused(() => whoami(other.enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(error.reason, "not-signed-in");
  assertEquals(other.enterprise.status("notes", "one").kind, "signed-out");
  await other.enterprise.close();
});

test("an account that is signed out is nobody, not whoever else is signed in", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  await signIn("alice");
  await signIn("bob");
  enterprise.openThread("one", ownerOf("alice"));
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  enterprise.setAccount("one", null);
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(await enterprise.reauthorize("one", "notes"), false);
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  await enterprise.close();
});

test("an identity of the program's is presented, handed back when it rotates, and neither stored, revoked nor deleted", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  const host = await startDesk(bed, { server: { subject_token: "refresh_token" } });
  const { enterprise, provider } = host;
  const record = await recordOf(bed, { account: "alice", provider });
  let held = record.refreshToken;
  const order: string[] = [];
  const identity = {
    tokens: () => Promise.resolve({ refreshToken: held, idToken: null, idTokenExpiresAt: null }),
    rotated: async (token: string) => {
      order.push("rotated");
      await Promise.resolve();
      held = token;
      order.push("stored");
    },
  };
  const account = { ...ownerOf("alice"), identity };
  enterprise.openThread("one", account);
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  assertEquals(order, ["rotated", "stored"]);
  assert(held !== null && held !== record.refreshToken);
  assertEquals((await whoami(enterprise, "one", "second")).account, "alice");
  // the host's own grants know nothing of it: the same account without its identity is not signed in
  enterprise.openThread("other", ownerOf("alice"));
  await refused(() => whoami(enterprise, "other"), "SIGN_IN_REQUIRED");
  assertEquals(await host.source.marker(AbortSignal.timeout(5_000)), null);
  const report = await enterprise.signOut(account, provider.name);
  assertEquals(report.revoked === null || report.revoked === "not-offered", true);
  assertEquals(select(bed.wire.entries(), { endpoint: "idp.revocation" }).length, 0);
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  await enterprise.identityReplaced(account);
  await refused(() => whoami(enterprise, "one"), "REAUTHORIZATION_REQUIRED");
  assertEquals(await enterprise.reauthorize("one", "notes"), true);
  assertEquals((await whoami(enterprise, "one")).account, "alice");
  await enterprise.close();
});

test("an identity is shown to the identity provider that issued it alone", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, provider } = await startDesk(bed);
  const { refreshToken, idToken, idTokenExpiresAt } = await recordOf(bed, { account: "alice", provider });
  bed.wire.clear();
  const identity = {
    issuer: "https://another.example",
    tokens: () => Promise.resolve({ refreshToken, idToken, idTokenExpiresAt }),
    rotated: () => Promise.resolve(),
  };
  enterprise.openThread("one", { ...ownerOf("alice"), identity });
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(findSecret(bed.wire.entries(), idToken ?? "").length, 0);
  enterprise.openThread("two", { ...ownerOf("alice"), identity: { ...identity, issuer: provider.issuer } });
  assertEquals((await whoami(enterprise, "two")).account, "alice");
  await enterprise.close();
});

test("an identity that the program cannot give is an outage, and its own error is not shown", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise } = await startDesk(bed);
  const identity = {
    tokens: () => Promise.reject(new Error("secret-of-the-program")),
    rotated: () => Promise.resolve(),
  };
  enterprise.openThread("one", { ...ownerOf("alice"), identity });
  const error = await refused(() => whoami(enterprise, "one"), "TEMPORARILY_UNAVAILABLE");
  assert(!`${error.stack}${JSON.stringify(error.cause)}`.includes("secret-of-the-program"));
  await enterprise.close();
});

test("a lease that is renewed keeps the thread and its connection", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, clock, signIn } = await startDesk(bed, { random: () => 0.5 });
  await signIn("alice");
  enterprise.openThread("one", ownerOf("alice"));
  const connection = await enterprise.connection("one", "notes");
  const before: Seen = await whoIs(connection);
  clock.shift = 301;
  const after = await whoIs(connection);
  assert(after.token !== before.token);
  assertEquals(await enterprise.connection("one", "notes"), connection);
  assertEquals(enterprise.authorityOf("one", "notes")?.generation, connection.grantGeneration);
  await enterprise.close();
});
