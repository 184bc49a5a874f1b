/**
 * Several hosts that share their leases: one account, one sign-in, one store.
 *
 * @module
 */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { openSharedLeases } from "../../../../adapters/http/leases/shared_leases.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { failureOf, type FakeHost, recordOf, startFakeHost, store, USE } from "../fake_legs.ts";
import { FaultyLeaseStore } from "./faulty_lease_store.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
const SECOND = { ...USE, thread: "two" };

interface Started {
  readonly keys?: readonly Uint8Array<ArrayBuffer>[];
  readonly fetch?: typeof globalThis.fetch;
}

async function startHosts(count: number, { keys = [KEY], fetch = globalThis.fetch }: Started = {}) {
  const time = { now: (): number => hosts[0]?.clock.time ?? 1_000 };
  const texts = new FaultyLeaseStore(time);
  const hosts: FakeHost[] = [];
  for (let index = 0; index < count; index += 1) {
    const key = keys[index % keys.length] ?? KEY;
    const sharedLeases = await openSharedLeases({ store: texts, keys: [key], clock: time, limitMs: 50 });
    const host = await startFakeHost({ sharedLeases, random: () => (index + 1) / (count + 1), fetch });
    // each process has an authorization server's tokens of its own
    const { redeem } = host.legs;
    Object.assign(host.legs, {
      redeem: async (...args: Parameters<typeof redeem>) => {
        const outcome = await redeem(...args);
        if (!outcome.succeeded) return outcome;
        const token = `${outcome.value.token()}-of-${index}`;
        return { ...outcome, value: { ...outcome.value, token: () => token } };
      },
    });
    hosts.push(host);
  }
  return { hosts, texts, pass: (seconds: number) => hosts.forEach(({ clock }) => clock.time += seconds) };
}

function exchanges(hosts: readonly FakeHost[]): number {
  return hosts.flatMap(({ legs }) => legs.asked).filter((one) => one.startsWith("exchange")).length;
}

/** A token of the host, once all that it led to is done. */
async function tokenOf({ tokens }: FakeHost): Promise<string> {
  const given = await tokens.token(USE);
  await tokens.idle();
  return given;
}

test("hosts one after the other make one exchange, and warm calls ask no store", async () => {
  const { hosts, texts } = await startHosts(3);
  const given: string[] = [];
  for (const host of hosts) given.push(await tokenOf(host));
  assertEquals([new Set(given).size, exchanges(hosts)], [1, 1]);
  const { asked } = texts;
  for (const host of hosts) assertEquals(await host.tokens.token(SECOND), given[0]);
  assertEquals(texts.asked, asked);
});

test("a renewal of one is everyone's, and nobody waits for it", async () => {
  const { hosts, pass } = await startHosts(3);
  for (const host of hosts) await tokenOf(host);
  pass(249); // due for the one that renews first
  const [first, ...others] = hosts;
  assert(first !== undefined);
  const before = await tokenOf(first);
  const after = await tokenOf(first);
  assertNotEquals(after, before);
  assertEquals(exchanges(hosts), 2);
  pass(15); // due for all
  for (const host of others) assertEquals(await tokenOf(host), before);
  for (const host of others) assertEquals(await tokenOf(host), after);
  assertEquals(exchanges(hosts), 2);
});

test("a bearer that is refused is got anew by who had it, and for those who did not", async () => {
  const refused = new Set<string>();
  const sent: string[] = [];
  const { hosts: [one, other, third] } = await startHosts(3, {
    fetch: (_input, init) => {
      const bearer = new Headers(init?.headers).get("authorization")?.slice("Bearer ".length) ?? "";
      sent.push(bearer);
      return Promise.resolve(new Response(null, { status: refused.has(bearer) ? 401 : 200 }));
    },
  });
  assert(one !== undefined && other !== undefined && third !== undefined);
  const call = async (host: FakeHost): Promise<readonly string[]> => {
    sent.splice(0);
    const send = host.tokens.authenticatedFetch(USE);
    assertEquals((await send("https://mcp.example/mcp", { method: "POST", body: "{}" })).status, 200);
    await host.tokens.idle();
    return [...sent];
  };
  const bad = await tokenOf(one);
  assertEquals(await tokenOf(other), bad);
  refused.add(bad);
  const [, good = ""] = await call(one);
  assertNotEquals(good, bad);
  assertEquals(await call(third), [good]);
  // after a refusal only what it got itself counts, whatever there is
  const [, own = ""] = await call(other);
  assert(own !== bad && own !== good);
  assertEquals(exchanges([one, other, third]), 3);
  for (const host of [one, other, third]) assertEquals(host.tokens.status("notes", "one").kind, "ready");
});

/** Two hosts: one of them has renewed its lease, the other has the one before, and the server has forgotten both. */
async function startForgotten({ ahead = 0 } = {}) {
  const good = new Set<string>();
  const { hosts: [one, other], texts, pass } = await startHosts(2, {
    fetch: (_input, init) => {
      const bearer = new Headers(init?.headers).get("authorization")?.slice("Bearer ".length) ?? "";
      return Promise.resolve(new Response(null, { status: good.has(bearer) ? 200 : 401 }));
    },
  });
  assert(one !== undefined && other !== undefined);
  one.clock.time += ahead;
  assertEquals(await tokenOf(one), await tokenOf(other));
  pass(251); // due for the one, not for the other
  await tokenOf(one);
  assertNotEquals(await tokenOf(one), await tokenOf(other));
  pass(1);
  const { redeem } = other.legs;
  Object.assign(other.legs, {
    redeem: async (...args: Parameters<typeof redeem>) => {
      const outcome = await redeem(...args);
      if (outcome.succeeded) good.add(outcome.value.token());
      return outcome;
    },
  });
  const send = other.tokens.authenticatedFetch(USE);
  const call = async (): Promise<readonly [number, string]> => {
    const { status } = await send("https://mcp.example/mcp", { method: "POST", body: "{}" });
    return [status, other.tokens.status("notes", "one").kind];
  };
  return { one, other, texts, call, good };
}

test("a server that forgot all tokens blocks nobody, though another's clock is ahead", async () => {
  for (const ahead of [0, 2, 30, -30]) {
    const { call, other } = await startForgotten({ ahead });
    assertEquals(await call(), [200, "ready"], `${ahead}`);
    assertEquals(exchanges([other]), 1);
  }
});

test("a store that gives another old lease at each look blocks nobody", async () => {
  const { call, texts, other } = await startForgotten();
  const { read } = texts;
  const sealed = [...texts.texts].filter(([, text]) => text.length > 36).at(-1);
  assert(sealed !== undefined);
  let looks = 0;
  texts.read = (name, signal) => {
    looks += 1;
    if (name !== sealed[0] || looks === 1) return read.call(texts, name, signal);
    return Promise.resolve(sealed[1]);
  };
  assertEquals(await call(), [200, "ready"]);
  assertEquals(exchanges([other]), 1);
});

test("a lease that is taken while the one before it is refused is not used", async () => {
  const { call, texts, other, one } = await startForgotten();
  // the other's own renewal is under way when its lease is refused
  const { read } = texts;
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => open = resolve);
  texts.read = async (name, signal) => {
    const found = await read.call(texts, name, signal);
    await gate;
    return found;
  };
  one.clock.time += 20;
  other.clock.time += 20;
  await other.tokens.token(USE);
  const called = call();
  setTimeout(open, 20);
  assertEquals(await called, [200, "ready"]);
  assertEquals(exchanges([other]), 1);
});

test("another sign-in and another key share nothing", async () => {
  const { hosts: [one, foreign, later] } = await startHosts(3, { keys: [KEY, KEY.toReversed(), KEY] });
  assert(one !== undefined && foreign !== undefined && later !== undefined);
  const token = await tokenOf(one);
  assertNotEquals(await tokenOf(foreign), token);
  await store(later.source, recordOf({ generation: "02".repeat(16) }));
  assertNotEquals(await tokenOf(later), token);
  assertEquals(exchanges([one, foreign, later]), 3);
});

test("what one signed out of, no other process gets from the store", async () => {
  const { hosts: [one, other] } = await startHosts(2);
  assert(one !== undefined && other !== undefined);
  const token = await tokenOf(one);
  await one.tokens.signOut("default");
  await one.tokens.idle();
  await assertRejects(() => one.tokens.token(USE), EnterpriseError);
  assertNotEquals(await tokenOf(other), token);
});

test("while the identity provider asks for a pause, another's lease is taken", async () => {
  const { hosts: [one, other] } = await startHosts(2);
  assert(one !== undefined && other !== undefined);
  other.legs.failures.exchange.push({ ...failureOf("token-exchange", null, 503), retryAfter: 60 });
  await assertRejects(() => other.tokens.token(USE), EnterpriseError);
  await other.tokens.idle();
  assertEquals(await tokenOf(other).catch(() => "paused"), "paused");
  const token = await tokenOf(one);
  assertEquals(await tokenOf(other), token);
});

test("whatever becomes of the store, every call gets a token", async () => {
  for (const mood of ["down", "silent", "full"] as const) {
    const { hosts, texts, pass } = await startHosts(2);
    await Promise.all(hosts.map(tokenOf));
    for (const next of [mood, "well", mood] as const) {
      texts.mood = next;
      pass(301);
      const began = performance.now();
      assertEquals((await Promise.all(hosts.map(tokenOf))).length, 2);
      assert(performance.now() - began < 1_000);
    }
  }
});

test("a store full of garbage is one without", async () => {
  const { hosts, texts, pass } = await startHosts(2);
  await Promise.all(hosts.map(tokenOf));
  for (const garbage of ["", "garbage", "A".repeat(200), "{}"]) {
    pass(301);
    for (const name of texts.texts.keys()) await texts.plant(name, garbage);
    assertEquals((await Promise.all(hosts.map(tokenOf))).length, 2, garbage);
  }
});
