/**
 * Several processes, as on several machines, that share a sign-in in a store of secrets and their leases in a real
 * Redis: how many requests that takes, what is in Redis, and what becomes of calls when it dies, falls silent or is
 * lied to.
 *
 * @module
 */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { test } from "node:test";
import { SharedGrantSource } from "../../../adapters/http/grants/shared_grant_source.ts";
import { ACCOUNTS, type EnterpriseBed, select, startEnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { configurationOf, type Host, startHost } from "../enterprise/tokens/host.ts";
import type { Answer, Order, ProcessSetup } from "./process.ts";
import { SharingProcess } from "./processes.ts";
import { type SecretSite, serveSecrets } from "./secret_site.ts";
import { RedisServer } from "./server.ts";

/** Calls that each process makes at once. */
const CALLS = 20;

/** A limit that a busy machine keeps: where requests are counted, none may be made because Redis took too long. */
const PATIENT_MS = 5_000;

/** What processes are started with, under a fresh key. */
function setupOf({ url }: SecretSite, { socket }: RedisServer, limitMs: number = PATIENT_MS) {
  const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  return { secrets: url, redis: { socket, key, limitMs } };
}

/** A host of the test's own over the same secrets: it signs in. */
async function startSource(bed: EnterpriseBed, { store }: SecretSite): Promise<Host> {
  const [provider] = configurationOf(bed).providers;
  assert(provider !== undefined);
  return await startHost(bed, { source: new SharedGrantSource({ store, provider }) });
}

async function startAll(
  bed: EnterpriseBed,
  setups: readonly Omit<ProcessSetup, "bed">[],
): Promise<readonly SharingProcess[]> {
  return await Promise.all(setups.map((setup) => SharingProcess.start(bed, setup)));
}

async function orderAll(processes: readonly SharingProcess[], order: Order): Promise<readonly Answer[]> {
  return await Promise.all(processes.map((one) => one.order(order)));
}

/** Has all make calls at once, and expects every one to succeed. Gives the tokens. */
async function callAll(processes: readonly SharingProcess[], shift: number): Promise<readonly string[]> {
  const answers = await orderAll(processes, { kind: "call", count: CALLS, shift });
  assertEquals(answers.flatMap(({ failed }) => failed), []);
  return [...new Set(answers.flatMap(({ tokens }) => tokens))];
}

function counts(bed: EnterpriseBed): readonly [exchanges: number, redemptions: number] {
  const count = (endpoint: "idp.exchange" | "as.token"): number =>
    select(bed.wire.entries(), { endpoint }).length;
  return [count("idp.exchange"), count("as.token")];
}

/** Expects that nothing in Redis tells anything. Gives what is there. */
async function assertSecretFree(
  redis: RedisServer,
  bed: EnterpriseBed,
): Promise<ReadonlyMap<string, string>> {
  const dump = await redis.dump();
  const text = [...dump].flat().join("\n");
  const names = ACCOUNTS.flatMap(({ name, subject, workspace }) => [name, subject, workspace ?? name]);
  const places = [bed.mcp.url, bed.as.issuer, bed.idp.issuer].flatMap((url) => [url, new URL(url).host]);
  const hex = (one: string): string => [...one].map((c) => c.charCodeAt(0).toString(16)).join("");
  for (const secret of [...bed.secretsInPlay(), ...names, ...places]) {
    for (const written of [secret, btoa(secret).replaceAll("=", ""), hex(secret)]) {
      if (written.length > 4) assert(!text.includes(written), `something was told: ${written.length}`);
    }
  }
  for (const [key, value] of dump) {
    assert(/^codex-mcp:lease:[0-9a-f]{64}$/.test(key), key);
    assert(/^[\w-]+$/.test(value), "a value is something else than a claim or a ciphertext");
  }
  return dump;
}

test("processes share one exchange, renew together, and outlive their Redis", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  await using secrets = serveSecrets();
  await (await startSource(bed, secrets)).signIn();
  const setup = setupOf(secrets, redis);
  const processes = await startAll(bed, [setup, setup, setup]);
  try {
    const first = await callAll(processes, 0);
    assertEquals([first.length, ...counts(bed)], [1, 1, 1]);
    await orderAll(processes, { kind: "idle" });
    assert((await assertSecretFree(redis, bed)).size > 0);

    // due in every process: nobody waits, one renews
    assertEquals(await callAll(processes, 272), first);
    for (const { events } of await orderAll(processes, { kind: "idle" })) assertEquals(events, []);
    assertEquals(counts(bed), [2, 2]);
    const second = await callAll(processes, 272);
    assertEquals([second.length, ...counts(bed)], [1, 2, 2]);
    assertNotEquals(second, first);
    await assertSecretFree(redis, bed);

    // a server that forgot all tokens: no call fails, and nobody is blocked
    bed.revokeAccessTokens();
    await callAll(processes, 272);
    await callAll(processes, 272);
    assert(counts(bed)[0] <= 5, `${counts(bed)}`);

    // Redis dies while all of them need a new lease
    bed.latency = 100;
    const during = callAll(processes, 0);
    await redis.kill();
    await during;
    bed.latency = 0;
    await callAll(processes, 310);
    const told = await orderAll(processes, { kind: "idle" });
    for (const { events } of told) assertEquals(events, ["lease-store-failed"]);

    // it comes back empty, and is used again after a while
    await redis.start();
    for (let round = 0; (await redis.dump()).size === 0; round += 1) {
      assert(round < 100, "Redis is not used again");
      await callAll(processes, round % 2 * 310);
      await orderAll(processes, { kind: "idle" });
    }
  } finally {
    await Promise.all(processes.map((one) => one.end()));
  }
});

test("a Redis that falls silent delays calls for a moment, and fails none", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  await using secrets = serveSecrets();
  await (await startSource(bed, secrets)).signIn();
  const setup = setupOf(secrets, redis, 250);
  const processes = await startAll(bed, [setup, setup, setup]);
  try {
    await callAll(processes, 0);
    await orderAll(processes, { kind: "idle" });
    const [before] = counts(bed);
    redis.freeze(true);
    const answers = await orderAll(processes, { kind: "call", count: CALLS, shift: 310 });
    for (const { failed, ms, events } of answers) {
      assertEquals([failed, events.at(-1)], [[], "lease-store-failed"]);
      assert(ms < 8_000, `${ms} ms`); // far less than a claim of somebody else is waited for
    }
    assertEquals(counts(bed), [before + 3, before + 3]);
    redis.freeze(false);
    await callAll(processes, 310);
    assertEquals(counts(bed), [before + 3, before + 3]);
  } finally {
    redis.freeze(false);
    await Promise.all(processes.map((one) => one.end()));
  }
});

test("a sign-out in one process ends it in all, and takes the lease out of Redis", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  await using secrets = serveSecrets();
  const source = await startSource(bed, secrets);
  await source.signIn();
  const setup = setupOf(secrets, redis);
  const processes = await startAll(bed, [setup, setup, setup]);
  try {
    const before = await callAll(processes, 0);
    await orderAll(processes, { kind: "idle" });
    await processes[0]?.order({ kind: "sign-out" });
    for (const { failed, tokens } of await orderAll(processes, { kind: "call", count: CALLS, shift: 0 })) {
      assertEquals([new Set(failed), failed.length, tokens], [new Set(["SIGN_IN_REQUIRED"]), CALLS, []]);
    }
    await orderAll(processes, { kind: "idle" });
    assertEquals([...await redis.dump()], []);
    // a new sign-in shares nothing with the one before, whatever is replayed
    await source.signIn();
    const again = await startAll(bed, [setup, setup]);
    const after = await callAll(again, 0);
    assertEquals(after.length, 1);
    assertNotEquals(after, before);
    assertEquals(counts(bed), [2, 2]);
    await Promise.all(again.map((one) => one.end()));
  } finally {
    await Promise.all(processes.map((one) => one.end()));
  }
});

test("a process with another key gets its own, and neither disturbs the other", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  await using secrets = serveSecrets();
  await (await startSource(bed, secrets)).signIn();
  const setup = setupOf(secrets, redis);
  const processes = await startAll(bed, [setup, setup, setupOf(secrets, redis)]);
  try {
    assertEquals((await callAll(processes, 0)).length, 2);
    await orderAll(processes, { kind: "idle" });
    assertEquals((await callAll(processes, 0)).length, 2);
    assertEquals(counts(bed), [2, 2]);
    assertEquals((await assertSecretFree(redis, bed)).size, 2);
  } finally {
    await Promise.all(processes.map((one) => one.end()));
  }
});

test("what somebody writes into Redis is used by nobody, and no call fails", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  await using secrets = serveSecrets();
  const source = await startSource(bed, secrets);
  await source.signIn();
  const setup = setupOf(secrets, redis);
  const before = await startAll(bed, [setup]);
  await callAll(before, 0);
  await orderAll(before, { kind: "idle" });
  const old = [...await redis.dump()];
  assertEquals(old.length, 1);
  await source.signIn(); // another generation
  const processes = await startAll(bed, [setup, setup]);
  try {
    await callAll(processes, 0);
    await orderAll(processes, { kind: "idle" });
    for (const text of [old[0]?.[1] ?? "", "garbage", "A".repeat(400)]) {
      for (const key of (await redis.dump()).keys()) await redis.command("SET", key, text, "PX", "300000");
      const fresh = await startAll(bed, [setup]);
      await callAll(fresh, 0);
      const [told] = await orderAll(fresh, { kind: "idle" });
      assertEquals(told?.events, ["lease-refused"]);
      await Promise.all(fresh.map((one) => one.end()));
    }
    for (const key of (await redis.dump()).keys()) {
      await redis.command("DEL", key);
      await redis.command("LPUSH", key, "a list");
    }
    await callAll(processes, 310);
  } finally {
    await Promise.all([...before, ...processes].map((one) => one.end()));
  }
});

test("when the process that gets the lease dies, one other gets it", async () => {
  await using bed = await startEnterpriseBed();
  await using redis = await RedisServer.start();
  await using secrets = serveSecrets();
  await (await startSource(bed, secrets)).signIn();
  const setup = setupOf(secrets, redis);
  const [dying, ...others] = await startAll(bed, [setup, setup, setup]);
  assert(dying !== undefined);
  try {
    bed.latency = 1_000;
    const calls = dying.order({ kind: "call", count: 1, shift: 0 }).catch(() => null);
    while ((await redis.dump()).size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await dying.kill();
    assertEquals(await calls, null);
    bed.latency = 0;
    bed.wire.clear();
    assertEquals((await callAll(others, 0)).length, 1);
    assertEquals(counts(bed), [1, 1]);
  } finally {
    await Promise.all(others.map((one) => one.end()));
  }
});

test("processes on several machines never spend a rotating refresh token twice", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  bed.idp.controls.rotateAtExchange = true;
  await using secrets = serveSecrets();
  await (await startSource(bed, secrets)).signIn();
  const setup = { secrets: secrets.url, redis: null, server: { subject_token: "refresh_token" } };
  const processes = await startAll(bed, [setup, setup, setup]);
  try {
    for (let round = 0; round < 5; round += 1) {
      await callAll(processes, round % 2 * 301);
    }
    assertEquals(counts(bed), [15, 15]);
  } finally {
    await Promise.all(processes.map((one) => one.end()));
  }
});
