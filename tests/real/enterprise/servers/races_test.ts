/**
 * What happens while something else is under way at the enterprise servers of a host: accounts that change during a
 * connect, calls that are asked for a bearer again after a revocation, streams, threads that are closed during a
 * renewal.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { HostError, type HostErrorCode } from "../../../../core/errors.ts";
import { select, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { counts, refused, startDesk, whoami, whoIs } from "./host.ts";
import { ownerOf } from "../tokens/checks.ts";

async function hostRefused(work: () => Promise<unknown>, code: HostErrorCode): Promise<void> {
  const error = await assertRejects(work, HostError);
  assertEquals(error.code, code, error.message);
}

/** Waits for something that happens soon. */
async function eventually(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !condition(); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert(condition(), "it did not happen");
}

for (const endpoint of ["idp.exchange", "as.token", "mcp.endpoint"] as const) {
  test(`an account that changes while a connect waits for ${endpoint}: what was begun is not used`, async () => {
    await using bed = await startEnterpriseBed();
    const { enterprise, signIn } = await startDesk(bed);
    for (const account of ["alice", "bob"]) await signIn(account);
    enterprise.openThread("one", ownerOf("alice"));
    const stalled = bed.wire.nextStall(endpoint);
    const hold = bed.faults.hold(endpoint);
    const connecting = enterprise.connection("one", "notes");
    connecting.catch(() => undefined);
    await stalled;
    enterprise.setAccount("one", ownerOf("bob"));
    // refused at once: nobody waits for what is not used
    await refused(() => connecting, "REAUTHORIZATION_REQUIRED");
    await refused(() => whoami(enterprise, "one"), "REAUTHORIZATION_REQUIRED");
    hold.release();
    assertEquals(await enterprise.reauthorize("one", "notes"), true);
    assertEquals((await whoami(enterprise, "one")).account, "bob");
    await enterprise.idle();
    await enterprise.close();
  });
}

test("a sign-out during a connect", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, provider, signIn } = await startDesk(bed);
  await signIn("alice");
  enterprise.openThread("one", ownerOf("alice"));
  const stalled = bed.wire.nextStall("as.token");
  const hold = bed.faults.hold("as.token");
  const connecting = enterprise.connection("one", "notes");
  connecting.catch(() => undefined);
  await stalled;
  const signedOut = enterprise.signOut(ownerOf("alice"), provider.name);
  await refused(() => connecting, "SIGN_IN_REQUIRED");
  hold.release();
  await signedOut;
  await refused(() => whoami(enterprise, "one"), "SIGN_IN_REQUIRED");
  assertEquals(counts(bed).mcp, 0);
  await enterprise.close();
});

test("a call that is asked for another bearer after its thread was revoked is not sent again", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  for (const account of ["alice", "bob"]) await signIn(account);
  enterprise.openThread("one", ownerOf("alice"));
  const connection = await enterprise.connection("one", "notes");
  const stalled = bed.wire.nextStall("mcp.endpoint");
  const hold = bed.faults.hold("mcp.endpoint");
  bed.revokeAccessTokens();
  const inFlight = whoIs(connection);
  inFlight.catch(() => undefined);
  await stalled;
  enterprise.setAccount("one", ownerOf("bob"));
  const { mcp } = counts(bed);
  hold.release();
  const error = await refused(() => inFlight, "REAUTHORIZATION_REQUIRED");
  assertEquals(error.reason, "account-changed");
  await enterprise.idle();
  assertEquals(counts(bed).mcp, mcp);
  await enterprise.close();
});

test("the subscription to changed tools ends at once with the authorization, and is told while it stands", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startDesk(bed, { watchCatalog: true });
  const { enterprise, events } = host;
  for (const account of ["alice", "bob"]) await host.signIn(account);
  for (const account of ["alice", "bob"]) {
    enterprise.openThread(account, ownerOf(account));
    await whoami(enterprise, account);
  }
  const subscriptions = () =>
    select(bed.wire.entries(), { endpoint: "mcp.endpoint" }).filter(({ body }) =>
      body.includes("subscriptions/listen")
    );
  await eventually(() => subscriptions().length === 2);
  const told = () => events.filter(({ kind }) => kind === "catalog-changed").map(({ thread }) => thread);
  await eventually(() => {
    bed.announceTools();
    return told().includes("alice") && told().includes("bob");
  });
  const connection = await enterprise.connection("alice", "notes");
  enterprise.setAccount("alice", null);
  await new Promise<void>((resolve) => {
    if (connection.closed.aborted) resolve();
    connection.closed.addEventListener("abort", () => resolve());
  });
  const before = told().filter((thread) => thread === "alice").length;
  const others = told().filter((thread) => thread === "bob").length;
  await eventually(() => {
    bed.announceTools();
    return told().filter((thread) => thread === "bob").length > others;
  });
  assertEquals(told().filter((thread) => thread === "alice").length, before);
  assertEquals(subscriptions().length, 2);
  await enterprise.close();
});

test("a thread that is closed while its account's lease is renewed leaves the others their token", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  await signIn("alice");
  for (const thread of ["one", "two"]) enterprise.openThread(thread, ownerOf("alice"));
  const stalled = bed.wire.nextStall("as.token");
  const hold = bed.faults.hold("as.token");
  const closing = enterprise.connection("one", "notes");
  const staying = whoami(enterprise, "two");
  closing.catch(() => undefined);
  await stalled;
  const closed = enterprise.closeThread("one");
  await hostRefused(() => closing, "THREAD_CLOSED");
  hold.release();
  await closed;
  assertEquals((await staying).account, "alice");
  assertEquals(counts(bed).exchange, 1);
  await hostRefused(() => enterprise.connection("one", "notes"), "THREAD_CLOSED");
  await enterprise.close();
  await hostRefused(() => enterprise.connection("two", "notes"), "HOST_CLOSED");
  assertEquals(enterprise.authorityOf("two", "notes"), null);
});

test("callers that give up, and one whose time is over, leave the others their connection", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  await signIn("alice");
  enterprise.openThread("one", ownerOf("alice"));
  const stalled = bed.wire.nextStall("as.token");
  const hold = bed.faults.hold("as.token");
  const caller = new AbortController();
  const given = enterprise.connection("one", "notes", { signal: caller.signal });
  const short = enterprise.connection("one", "notes", { timeoutMs: 50 });
  const patient = enterprise.connection("one", "notes", { timeoutMs: 60_000 });
  given.catch(() => undefined);
  await hostRefused(() => short, "SERVER_TIMEOUT");
  await stalled;
  caller.abort();
  await hostRefused(() => given, "CALL_CANCELLED");
  hold.release();
  assertEquals((await whoIs(await patient)).account, "alice");
  await hostRefused(() => enterprise.connection("one", "notes", { signal: caller.signal }), "CALL_CANCELLED");
  // when nobody waits any more the work ends, and the next one begins anew
  bed.revokeAccessTokens();
  enterprise.openThread("two", ownerOf("alice"));
  const silent = bed.faults.hold("mcp.endpoint");
  await hostRefused(() => enterprise.connection("two", "notes", { timeoutMs: 300 }), "SERVER_TIMEOUT");
  silent.release();
  assertEquals((await whoami(enterprise, "two")).account, "alice");
  await enterprise.close();
});

test("a connection that is made anew keeps the authorization, in both eras", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startDesk(bed);
  const { enterprise } = host;
  await host.signIn("alice");
  for (const era of ["modern", "legacy"] as const) {
    if (era === "legacy") bed.turn("mcp-legacy-only");
    enterprise.openThread(era, ownerOf("alice"));
    const first = await enterprise.connection(era, "notes");
    assertEquals([first.era, first.extension], [era, era === "modern" ? "advertised" : "unknown"]);
    enterprise.reconnect(era, "notes");
    const second = await enterprise.connection(era, "notes");
    assertEquals([second.number, second.grantGeneration], [2, first.grantGeneration]);
    assertEquals((await whoIs(second)).account, "alice");
    assertEquals(host.told(), ["connected", "disconnected", "refreshed: reconnected"]);
  }
  assertEquals(counts(bed).exchange, 1);
  await enterprise.close();
});

test("an exact text goes out as it is, also when the call is sent again", async () => {
  await using bed = await startEnterpriseBed();
  const { enterprise, signIn } = await startDesk(bed);
  await signIn("alice");
  enterprise.openThread("one", ownerOf("alice"));
  const connection = await enterprise.connection("one", "notes");
  bed.revokeAccessTokens();
  bed.wire.clear();
  const state = '{"big":9007199254740993,"b":1,"a":-0}';
  await connection.client.callTool({
    name: "whoami",
    arguments: {},
    _meta: { "codex/sandbox-state": connection.exact(state) },
  });
  const sent = select(bed.wire.entries(), { endpoint: "mcp.endpoint" });
  assertEquals(sent.length, 2);
  for (const { body } of sent) assert(body.includes(`"codex/sandbox-state":${state}`), body);
  await enterprise.close();
});
