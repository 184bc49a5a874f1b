import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { LeaseStoreEvent } from "../../../../adapters/http/leases/guarded_store.ts";
import type { LeaseKey } from "../../../../adapters/http/leases/lease_seal.ts";
import { openSharedLeases, type SharedLeases } from "../../../../adapters/http/leases/shared_leases.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { FaultyLeaseStore } from "./faulty_lease_store.ts";

const PLACE = { binding: "alice|https://mcp.example", generation: "01".repeat(16) };
const { signal } = new AbortController();

function keyOf(seed: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: 32 }, (_, index) => index + seed & 255);
}

function leaseOf(last: string, token: string = `token-${last}`) {
  return { id: `0b7e2f9c-1d52-4f37-9c3a-7d1f7e0a9b1${last}`, token, receivedAt: 1_000, expiresAt: 1_300 };
}

async function open(keys: readonly LeaseKey[] = [keyOf(1)], store?: FaultyLeaseStore) {
  const clock = { now: () => 1_000 };
  const events: LeaseStoreEvent[] = [];
  const used = store ?? new FaultyLeaseStore(clock);
  const onEvent = (event: LeaseStoreEvent): void => void events.push(event);
  const leases = await openSharedLeases({ store: used, keys, clock, onEvent, limitMs: 30 });
  return { leases, store: used, events };
}

async function put(leases: SharedLeases, last: string, seen: string | null = null): Promise<boolean> {
  return await leases.put(PLACE, { lease: leaseOf(last), seen, seconds: 300, signal });
}

test("what one puts there, another with the same key finds", async () => {
  const { leases, store } = await open();
  assertEquals(await leases.look(PLACE, signal), { leases: [], text: null });
  assert(await put(leases, "a"));
  const other = await open([keyOf(1)], store);
  assertEquals((await other.leases.look(PLACE, signal))?.leases, [leaseOf("a")]);
  assertEquals((await other.leases.look({ ...PLACE, generation: "02".repeat(16) }, signal))?.leases, []);
  assertEquals((await (await open([keyOf(2)], store)).leases.look(PLACE, signal))?.leases, []);
});

test("only who saw what is there replaces it", async () => {
  const { leases } = await open();
  await put(leases, "a");
  const first = await leases.look(PLACE, signal);
  assert(first !== undefined);
  assert(!await put(leases, "b"));
  assert(await put(leases, "b", first.text));
  assert(!await put(leases, "c", first.text));
  assertEquals((await leases.look(PLACE, signal))?.leases, [leaseOf("b")]);
});

test("one lease is taken away, and never the one that came after it", async () => {
  const { leases } = await open();
  await put(leases, "a");
  await leases.remove(PLACE, leaseOf("b").id, signal);
  assertEquals((await leases.look(PLACE, signal))?.leases.length, 1);
  await leases.remove(PLACE, leaseOf("a").id, signal);
  assertEquals(await leases.look(PLACE, signal), { leases: [], text: null });
});

test("a claim is one caller's until it is given back, whatever the order of the keys", async () => {
  const { leases, store } = await open([keyOf(1), keyOf(2)]);
  const other = (await open([keyOf(2), keyOf(1)], store)).leases;
  assertEquals(await leases.claim(PLACE, { token: "one", seconds: 5, signal }), true);
  assertEquals(await other.claim(PLACE, { token: "two", seconds: 5, signal }), false);
  await other.release(PLACE, "two", signal);
  assertEquals(await other.claim(PLACE, { token: "two", seconds: 5, signal }), false);
  await leases.release(PLACE, "one", signal);
  assertEquals(await other.claim(PLACE, { token: "two", seconds: 5, signal }), true);
});

test("keys are rotated without losing a lease: the first writes, all of them read and take away", async () => {
  const { leases: before, store } = await open([keyOf(1)]);
  await put(before, "a");
  const { leases: during } = await open([keyOf(2), keyOf(1)], store);
  assertEquals((await during.look(PLACE, signal))?.leases, [leaseOf("a")]);
  assert(await put(during, "b"));
  const { leases: after } = await open([keyOf(2)], store);
  assertEquals((await after.look(PLACE, signal))?.leases, [leaseOf("b")]);
  await during.remove(PLACE, leaseOf("a").id, signal);
  assertEquals((await before.look(PLACE, signal))?.leases, []);
  assertEquals((await after.look(PLACE, signal))?.leases, [leaseOf("b")]);
});

test("a text of another place or generation, replayed or damaged, is refused and told about once", async () => {
  const { leases, store, events } = await open();
  const old = { ...PLACE, generation: "02".repeat(16) };
  const other = { ...PLACE, binding: "bob|https://mcp.example" };
  for (const place of [old, other]) {
    await leases.put(place, { lease: leaseOf("a"), seen: null, seconds: 300, signal });
  }
  const foreign = [...store.texts.values()];
  assertEquals(foreign.length, 2);
  await put(leases, "b");
  const name = [...store.texts.keys()].at(-1) ?? "";
  for (const text of [...foreign, "", "garbage", "A".repeat(100), `${store.texts.get(name)}A`]) {
    await store.plant(name, text);
    assertEquals(await leases.look(PLACE, signal), { leases: [], text });
  }
  assertEquals(events, [{ kind: "lease-refused" }]);
  // and is replaced by the next lease
  const seen = await leases.look(PLACE, signal);
  assert(await put(leases, "c", seen?.text));
  assertEquals((await leases.look(PLACE, signal))?.leases, [leaseOf("c")]);
  await store.plant(name, "garbage");
  await leases.look(PLACE, signal);
  assertEquals(events.length, 2);
});

test("nothing that is in the store tells a token, an account or a URL", async () => {
  const { leases, store } = await open();
  await put(leases, "a");
  await leases.claim(PLACE, { token: crypto.randomUUID(), seconds: 5, signal });
  const text = JSON.stringify([...store.texts]);
  for (const secret of ["token-a", "alice", "mcp.example", PLACE.generation, leaseOf("a").id]) {
    assert(!text.includes(secret) && !text.includes(btoa(secret)), secret);
  }
  assertEquals(store.texts.size, 2);
});

test("a store that is down, silent or full is gone without, and nobody gets its error", async () => {
  for (const mood of ["down", "silent", "full"] as const) {
    const { leases, store, events } = await open();
    store.mood = mood;
    assertEquals(await put(leases, "a"), false, mood);
    assertEquals(await leases.look(PLACE, signal), undefined);
    assertEquals(await leases.claim(PLACE, { token: "one", seconds: 5, signal }), undefined);
    await leases.remove(PLACE, leaseOf("a").id, signal);
    await leases.release(PLACE, "one", signal);
    assertEquals(events.map(({ kind }) => kind), ["lease-store-failed"]);
    assertEquals(store.asked, 1); // it is left alone after the first failure
  }
});

test("a lease that is over is not put there", async () => {
  const { leases, store } = await open();
  assertEquals(await leases.put(PLACE, { lease: leaseOf("a"), seen: null, seconds: 0, signal }), false);
  assertEquals(store.asked, 0);
});

test("keys that are none are refused at the start", async () => {
  const error = await assertRejects(() => open([]), EnterpriseError);
  assertEquals(error.code, "CONFIGURATION_REFUSED");
});

test("a time limit that is none is refused at the start", async () => {
  const store = new FaultyLeaseStore({ now: () => 1_000 });
  for (const limitMs of [Number.NaN, 0, -1, Infinity]) {
    const opening = openSharedLeases({ store, keys: [keyOf(1)], limitMs });
    const error = await assertRejects(() => opening, EnterpriseError);
    assertEquals([error.code, error.reason], ["CONFIGURATION_REFUSED", "lease-limit"]);
  }
});

test("what is refused at one place is told about once, whatever is found at others", async () => {
  const { leases, store, events } = await open();
  await put(leases, "a");
  const other = { ...PLACE, binding: "other" };
  await leases.put(other, { lease: leaseOf("b"), seen: null, seconds: 300, signal });
  const [name = ""] = store.texts.keys();
  const seen = (await leases.look(PLACE, signal))?.text ?? "";
  await store.plant(name, "garbage");
  for (let round = 0; round < 3; round += 1) {
    await leases.look(PLACE, signal);
    assertEquals((await leases.look(other, signal))?.leases, [leaseOf("b")]);
  }
  assertEquals(events, [{ kind: "lease-refused" }]);
  await store.plant(name, seen);
  assertEquals((await leases.look(PLACE, signal))?.leases, [leaseOf("a")]);
  await store.plant(name, "garbage");
  await leases.look(PLACE, signal);
  assertEquals(events.length, 2);
});

test("a claim is renewed by who has it, and by nobody else", async () => {
  const { leases, store } = await open();
  const renew = (token: string) => leases.claim(PLACE, { token, seconds: 5, renews: true, signal });
  assertEquals(await renew("one"), false);
  await leases.claim(PLACE, { token: "one", seconds: 5, signal });
  assertEquals([await renew("one"), await renew("two")], [true, false]);
  assertEquals([await leases.release(PLACE, "two", signal), await leases.release(PLACE, "one", signal)], [
    false,
    true,
  ]);
  assertEquals(await renew("one"), false);
  store.mood = "down";
  assertEquals([await renew("one"), await leases.release(PLACE, "one", signal)], [undefined, undefined]);
});
