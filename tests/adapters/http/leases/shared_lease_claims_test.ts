import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { SharedLeaseClaims } from "../../../../adapters/http/leases/shared_lease_claims.ts";
import { openSharedLeases } from "../../../../adapters/http/leases/shared_leases.ts";
import { FaultyLeaseStore } from "./faulty_lease_store.ts";

const PLACE = { binding: "b", generation: "01".repeat(16) };
const KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
const { signal } = new AbortController();

/** Processes that share a store, and a clock that moves as they wait. */
async function createProcesses(count: number, deadline: number = 30) {
  const clock = {
    time: 1_000,
    slept: 0,
    now: (): number => clock.time,
    sleep: async (seconds: number, ended?: AbortSignal): Promise<boolean> => {
      const until = clock.time + seconds;
      const idles = seconds >= 2; // renewing a claim moves no clock, and ends when nothing moves it any more
      for (let round = 0; round < 2_000; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        if (!idles || clock.time >= until || ended?.aborted) break;
      }
      if (idles) return clock.time >= until && !ended?.aborted;
      clock.time += seconds;
      clock.slept += seconds;
      return !ended?.aborted;
    },
  };
  const store = new FaultyLeaseStore(clock);
  const leases = () => openSharedLeases({ store, keys: [KEY], clock, limitMs: 30 });
  const all = await Promise.all(
    Array.from(
      { length: count },
      async () => new SharedLeaseClaims({ leases: await leases(), clock, deadline }),
    ),
  );
  return { all, store, clock };
}

function fresh(now: number, life: number = 300) {
  const token = `token-${crypto.randomUUID()}`;
  return { id: crypto.randomUUID(), token, receivedAt: now, expiresAt: now + life };
}

function used(lease: { readonly id: string; readonly expiresAt: number }) {
  return { id: lease.id, expiresAt: lease.expiresAt, place: PLACE, server: "notes" };
}

test("of many who need a lease, one gets it and the others take it", async () => {
  const { all, clock } = await createProcesses(10);
  let made = 0;
  const got = await Promise.all(all.map(async (turns) => {
    const turn = await turns.take(PLACE, { held: null, signal });
    if (turn.lease !== null) return turn.lease.token;
    made += 1;
    await clock.sleep(1);
    const lease = fresh(clock.now());
    turn.done(lease);
    return lease.token;
  }));
  assertEquals([made, new Set(got).size], [1, 1]);
});

test("who comes later takes what is there without waiting", async () => {
  const { all: [one, other], clock } = await createProcesses(2);
  const turn = await one?.take(PLACE, { held: null, signal });
  assert(turn?.lease === null);
  const lease = fresh(clock.now());
  turn.done(lease);
  await one?.idle();
  assertEquals((await other?.take(PLACE, { held: null, signal }))?.lease, lease);
  assertEquals(clock.slept, 0);
});

test("when one gets nothing, the next takes its turn at once", async () => {
  const { all: [one, other], clock } = await createProcesses(2);
  const turn = await one?.take(PLACE, { held: null, signal });
  const waiting = other?.take(PLACE, { held: null, signal });
  turn?.done(null);
  assertEquals((await waiting)?.lease, null);
  assert(clock.slept < 1, `${clock.slept}`);
});

test("the claim of one that died ends by itself, and one other takes its turn", async () => {
  const { all: [dead, ...others], clock, store } = await createProcesses(4);
  const turn = await dead?.take(PLACE, { held: null, signal });
  const [claim = ""] = store.texts.keys();
  turn?.done(null);
  await dead?.idle();
  await store.change(claim, { expected: null, next: "of one that died", seconds: 5 }, signal);
  let made = 0;
  await Promise.all(others.map(async (turns) => {
    const turn = await turns.take(PLACE, { held: null, signal });
    if (turn.lease !== null) return;
    made += 1;
    turn.done(fresh(clock.now()));
  }));
  assertEquals(made, 1);
  assert(clock.now() >= 1_005);
});

test("the claim stands while the exchange runs, however slow it is", async () => {
  const { all: [slow, ...others], clock } = await createProcesses(3, 60);
  const turn = await slow?.take(PLACE, { held: null, signal });
  const waiting = others.map((turns) => turns.take(PLACE, { held: null, signal }));
  const began = clock.now();
  for (let round = 0; round < 5_000 && clock.now() < began + 13; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const lease = fresh(clock.now());
  turn?.done(lease);
  for (const one of await Promise.all(waiting)) assertEquals(one.lease, lease);
});

test("nobody waits longer than for fifteen seconds, nor for half of what it has", async () => {
  for (const [deadline, most] of [[60, 15], [4, 2]] as const) {
    const { all: [slow, other], clock, store } = await createProcesses(2, deadline);
    const turn = await slow?.take(PLACE, { held: null, signal });
    // one that is slow, and claims again and again
    const claim = [...store.texts.keys()][0] ?? "";
    const began = clock.now();
    const waiting = other?.take(PLACE, { held: null, signal });
    for (let round = 0; round < 100 && clock.now() < began + most; round += 1) {
      await store.plant(claim, "someone");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assertEquals((await waiting)?.lease, null);
    assert(clock.now() - began <= most + 0.5, `${clock.now() - began}`);
    turn?.done(null);
  }
});

test("who is to get its own takes nothing, and others take what it got", async () => {
  const { all: [one, other, third], clock } = await createProcesses(3);
  const [first, second] = [fresh(clock.now()), fresh(clock.now())];
  (await one?.take(PLACE, { held: null, signal }))?.done(first);
  await one?.idle();
  const own = await other?.take(PLACE, { held: null, own: true, signal });
  assertEquals(own?.lease, null);
  // one more that must waits for nobody
  const also = await third?.take(PLACE, { held: null, own: true, signal });
  assertEquals([also?.lease, clock.slept], [null, 0]);
  own?.done(second);
  also?.done(null);
  await Promise.all([other?.idle(), third?.idle()]);
  assertEquals((await one?.take(PLACE, { held: null, signal }))?.lease, second);
});

test("a claim whose outcome is unknown is released in the background", async () => {
  for (const how of ["given up", "silent"] as const) {
    const { all: [one, other], store, clock } = await createProcesses(2);
    const { change } = store;
    const controller = new AbortController();
    let claimed = false;
    store.change = async (...args) => {
      const done = await change.apply(store, args);
      if (claimed) return done;
      claimed = true;
      if (how === "given up") controller.abort();
      return await new Promise<never>(() => undefined);
    };
    const turn = await one?.take(PLACE, { held: null, signal: controller.signal });
    assertEquals([turn?.lease, claimed], [null, true]);
    turn?.done(null);
    await one?.idle();
    const before = clock.now();
    const next = await other?.take(PLACE, { held: null, signal });
    assertEquals([next?.lease, clock.now() - before], [null, 0], how);
    next?.done(null);
    await other?.idle();
  }
});

test("a renewal takes what is new, and never what it already has", async () => {
  const { all: [one, other], clock } = await createProcesses(2);
  const [first, second] = [fresh(clock.now()), fresh(clock.now(), 400)];
  (await one?.take(PLACE, { held: null, signal }))?.done(first);
  one?.use("mine", used(first));
  await one?.idle();
  other?.use("theirs", used(first));
  const renewal = await one?.take(PLACE, { held: "mine", signal });
  assertEquals(renewal?.lease, null);
  const waiting = other?.take(PLACE, { held: "theirs", signal });
  await clock.sleep(0.1);
  renewal?.done(second);
  assertEquals((await waiting)?.lease, second);
});

test("what is dropped is taken away for everyone, unless it was replaced", async () => {
  const { all: [one, other], clock } = await createProcesses(2);
  const lease = fresh(clock.now());
  (await one?.take(PLACE, { held: null, signal }))?.done(lease);
  one?.use("mine", used(lease));
  await one?.idle();
  other?.use("theirs", used(lease));
  other?.drop("theirs", [{ server: "notes", binding: "b" }]);
  await other?.idle();
  assertEquals((await one?.take(PLACE, { held: null, signal }))?.lease, lease);
  one?.drop("mine", []);
  await one?.idle();
  assertEquals((await other?.take(PLACE, { held: null, signal }))?.lease, null);
});

test("what one refused, its own next turn never takes, though it is still there", async () => {
  const { all: [one], clock, store } = await createProcesses(1);
  const lease = fresh(clock.now());
  (await one?.take(PLACE, { held: null, signal }))?.done(lease);
  one?.use("mine", used(lease));
  await one?.idle();
  const kept = [...store.texts];
  one?.drop("mine", []);
  await one?.idle();
  for (const [name, text] of kept) if (text.length > 36) await store.plant(name, text); // as a replay would
  assertEquals((await one?.take(PLACE, { held: null, signal }))?.lease, null);
});

test("a lease that was dropped before it could be shared is not shared", async () => {
  const { all: [one, other], clock } = await createProcesses(2);
  const lease = fresh(clock.now());
  const turn = await one?.take(PLACE, { held: null, signal });
  one?.use("mine", used(lease));
  one?.drop("mine", []);
  turn?.done(lease);
  await one?.idle();
  assertEquals((await other?.take(PLACE, { held: null, signal }))?.lease, null);
});

test("without a store that works everyone gets a lease of its own", async () => {
  for (const mood of ["down", "silent"] as const) {
    const { all, store, clock } = await createProcesses(3);
    store.mood = mood;
    const began = performance.now();
    const turns = await Promise.all(all.map((one) => one.take(PLACE, { held: null, signal })));
    assert(performance.now() - began < 500);
    for (const turn of turns) {
      assertEquals(turn.lease, null);
      turn.done(fresh(clock.now()));
    }
    await Promise.all(all.map((one) => one.idle()));
    assertEquals([store.texts.size, store.asked], [0, 3]);
  }
});

test("a full store is one without", async () => {
  const { all: [one, other], store, clock } = await createProcesses(2);
  store.mood = "full";
  for (const turns of [one, other]) {
    const turn = await turns?.take(PLACE, { held: null, signal });
    assertEquals(turn?.lease, null);
    turn?.done(fresh(clock.now()));
    await turns?.idle();
  }
  assertEquals(store.texts.size, 0);
});

test("who gives up while waiting takes no turn of anybody", async () => {
  const { all: [one, other], store } = await createProcesses(2);
  const turn = await one?.take(PLACE, { held: null, signal });
  const controller = new AbortController();
  const waiting = other?.take(PLACE, { held: null, signal: controller.signal });
  controller.abort();
  (await waiting)?.done(null);
  await other?.idle();
  assertEquals(store.texts.size, 1); // the claim of the first
  turn?.done(null);
});
