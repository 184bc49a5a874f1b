import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { GuardedStore, type LeaseStoreEvent } from "../../../../adapters/http/leases/guarded_store.ts";
import type { LeaseStore } from "../../../../core/ports/lease_store.ts";

/** A store whose next answers a test gives. */
function createStore() {
  const events: LeaseStoreEvent[] = [];
  const state = { asked: 0, time: 0, answer: (): Promise<string | null> => Promise.resolve("text") };
  const store: LeaseStore = {
    read: () => {
      state.asked += 1;
      return state.answer();
    },
    change: async () => {
      state.asked += 1;
      return await state.answer() !== null;
    },
  };
  const guarded = new GuardedStore({
    store,
    clock: { now: () => state.time },
    limit: 0.05,
    tell: (event) => events.push(event),
  });
  return { guarded, state, events };
}

const { signal } = new AbortController();
const broken = (): Promise<never> =>
  Promise.reject(Object.assign(new Error("secret"), { code: "ECONNREFUSED" }));

test("answers come through", async () => {
  const { guarded, events } = createStore();
  assertEquals(await guarded.read("name", signal), "text");
  assertEquals(await guarded.change("name", { expected: "a", next: null }, signal), true);
  assertEquals(events, []);
});

test("a store that fails is left alone for longer each time, and told about once until it works", async () => {
  const { guarded, state, events } = createStore();
  state.answer = broken;
  const tried: number[] = [];
  for (; state.time < 100; state.time += 1) {
    const before = state.asked;
    assertEquals(await guarded.read("name", signal), undefined);
    if (state.asked > before) tried.push(state.time);
  }
  assertEquals(tried, [0, 1, 3, 7, 15, 31, 61, 91]);
  const cause = { name: "Error", code: "ECONNREFUSED", status: null };
  assertEquals(events, [{ kind: "lease-store-failed", reason: "failed", cause }]);
  state.time = 200;
  state.answer = () => Promise.resolve(null);
  assertEquals(await guarded.read("name", signal), null);
  assertEquals(events.at(-1), { kind: "lease-store-recovered" });
  state.answer = broken;
  assertEquals(await guarded.change("name", { expected: "a", next: null }, signal), undefined);
  assertEquals(events.length, 3);
});

test("operations that were under way together fail once", async () => {
  const { guarded, state, events } = createStore();
  state.answer = () => new Promise(() => undefined);
  await Promise.all(Array.from({ length: 20 }, () => guarded.read("name", new AbortController().signal)));
  assertEquals([state.asked, events.length], [20, 1]);
  state.answer = () => Promise.resolve("text");
  state.time = 0.9;
  assertEquals(await guarded.read("name", signal), undefined);
  state.time = 1;
  assertEquals(await guarded.read("name", signal), "text");
});

test("what began before a failure says nothing about the store after it", async () => {
  const { guarded, state, events } = createStore();
  let end: (error: Error) => void = () => undefined;
  state.answer = () => new Promise((_resolve, reject) => end = reject);
  const slow = guarded.read("name", signal);
  state.answer = broken;
  await guarded.read("name", signal);
  state.time = 1;
  state.answer = () => Promise.resolve("text");
  assertEquals(await guarded.read("name", signal), "text");
  end(new Error("late"));
  assertEquals(await slow, undefined);
  assertEquals(await guarded.read("name", signal), "text");
  assertEquals(events.map(({ kind }) => kind), ["lease-store-failed", "lease-store-recovered"]);
});

test("after a pause one operation alone finds out how the store is", async () => {
  const { guarded, state } = createStore();
  state.answer = broken;
  await guarded.read("name", signal);
  state.time = 1;
  state.answer = () => Promise.resolve("text");
  const answers = await Promise.all(Array.from({ length: 5 }, () => guarded.read("name", signal)));
  assertEquals([answers.filter((one) => one === "text").length, state.asked], [1, 2]);
  assertEquals(await guarded.read("name", signal), "text");
  // one that gave up leaves the next one to find out
  state.answer = broken;
  await guarded.read("name", signal);
  state.time = 3;
  state.answer = () => new Promise(() => undefined);
  const controller = new AbortController();
  const probe = guarded.read("name", controller.signal);
  controller.abort();
  await probe;
  state.answer = () => Promise.resolve("text");
  assertEquals(await guarded.read("name", signal), "text");
});

test("a store that is silent is given up in time", async () => {
  const { guarded, state, events } = createStore();
  state.answer = () => new Promise(() => undefined);
  const began = performance.now();
  assertEquals(await guarded.read("name", signal), undefined);
  assert(performance.now() - began < 1_000);
  assertEquals(events.map((one) => one.kind === "lease-store-failed" && one.reason), ["silent"]);
});

test("a store that throws at once is one that fails", async () => {
  const { guarded, state } = createStore();
  state.answer = () => {
    throw new TypeError("secret");
  };
  assertEquals(await guarded.read("name", signal), undefined);
});

test("a caller that gives up says nothing about the store", async () => {
  const { guarded, state, events } = createStore();
  state.answer = () => new Promise(() => undefined);
  const controller = new AbortController();
  const reading = guarded.read("name", controller.signal);
  controller.abort();
  assertEquals(await reading, undefined);
  assertEquals(await guarded.read("name", controller.signal), undefined);
  assertEquals([events.length, state.asked], [0, 1]);
});

test("a clock that went back makes no pause longer", async () => {
  const { guarded, state } = createStore();
  state.time = 1_000_000;
  state.answer = broken;
  await guarded.read("name", signal);
  state.time = 0;
  state.answer = () => Promise.resolve("text");
  assertEquals(await guarded.read("name", signal), "text");
});
