import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { withSecretLock } from "../../../../adapters/http/grants/secret_lock.ts";
import { never } from "../../../../adapters/async/never.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { SecretStore } from "../../../../core/ports/secret_store.ts";
import { FaultySecretStore } from "./faulty_secret_store.ts";

/** A clock whose seconds pass as quickly as the machine can. */
function createClock() {
  const clock = {
    time: 0,
    now: (): number => clock.time,
    sleep: (seconds: number, signal?: AbortSignal): Promise<boolean> =>
      new Promise((resolve) => {
        const until = clock.time + seconds;
        const look = (): void => {
          if (signal?.aborted) return resolve(false);
          if (clock.time >= until) return resolve(true);
          setTimeout(look, 0);
        };
        look();
      }),
  };
  return clock;
}

function start(store: SecretStore = new FaultySecretStore(), seconds: number = 60) {
  const clock = createClock();
  const options = { store, name: "lock", seconds, clock, signal: never() };
  const pass = async (total: number): Promise<void> => {
    for (let passed = 0; passed < total; passed += 0.5) {
      clock.time += 0.5;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  return { store, options, pass };
}

async function isFree(store: SecretStore): Promise<boolean> {
  return await store.read("lock", never()) === null;
}

test("work runs alone, and gives the lock back however it ends", async () => {
  const { store, options } = start();
  assertEquals(await withSecretLock(async () => await isFree(store), options), false);
  assertEquals(await isFree(store), true);
  await assertRejects(() => withSecretLock(() => Promise.reject(new RangeError("no")), options), RangeError);
  assertEquals(await isFree(store), true);
});

test("a holder that lives keeps it, however long it takes", async () => {
  const { options, pass } = start();
  let other = "waiting";
  let done = (): void => undefined;
  const first = withSecretLock((held) => {
    const work = new Promise<boolean>((resolve) => done = () => resolve(held.aborted));
    return work;
  }, options);
  await pass(1);
  const second = withSecretLock(() => Promise.resolve(other = "has it"), options);
  await pass(30);
  assertEquals(other, "waiting");
  done();
  assertEquals(await first, false);
  await pass(3);
  await second;
  assertEquals(other, "has it");
});

test("the lock of one that died is taken over after a while, and not before", async () => {
  const { store, options, pass } = start();
  await store.write("lock", { text: "somebody who died", revision: null }, never());
  let taken = false;
  const work = withSecretLock(() => Promise.resolve(taken = true), options);
  await pass(8);
  assertEquals(taken, false);
  await pass(12);
  await work;
  assertEquals([taken, await isFree(store)], [true, true]);
});

test("whoever lost the lock is told, and does not take it from whoever has it", async () => {
  const { store, options, pass } = start();
  let told = false;
  let done = (): void => undefined;
  const work = withSecretLock((held) => {
    held.addEventListener("abort", () => told = true);
    return new Promise<void>((resolve) => done = resolve);
  }, options);
  await pass(1);
  const mine = await store.read("lock", never());
  await store.write("lock", { text: "theirs", revision: mine?.revision ?? null }, never());
  await pass(4);
  assertEquals(told, true);
  done();
  await work;
  assertEquals((await store.read("lock", never()))?.text, "theirs");
});

test("whoever lost the lock while the store failed leaves its successor's alone", async () => {
  const store = new FaultySecretStore();
  const { options, pass } = start(store);
  let done = (): void => undefined;
  const work = withSecretLock((held) => {
    return new Promise<boolean>((resolve) => done = () => resolve(held.aborted));
  }, options);
  await pass(1);
  const mine = await store.read("lock", never());
  await store.write("lock", { text: "theirs", revision: mine?.revision ?? null }, never());
  store.faults.write.push("before"); // it signs, fails, and finds what it did not write
  await pass(7);
  done();
  assertEquals(await work, true);
  assertEquals((await store.read("lock", never()))?.text, "theirs");
});

test("a lock that was signed though the store said otherwise is kept, and given back", async () => {
  const store = new FaultySecretStore();
  const { options, pass } = start(store);
  let done = (): void => undefined;
  const work = withSecretLock((held) => {
    return new Promise<boolean>((resolve) => done = () => resolve(held.aborted));
  }, options);
  await pass(1);
  store.faults.write.push("after");
  store.faults.read.push("before");
  await pass(7);
  done();
  assertEquals([await work, await isFree(store)], [false, true]);
});

test("a store that hangs keeps nobody whose work is done and who gives up", async () => {
  const store = new FaultySecretStore();
  const { options, pass } = start(store);
  const controller = new AbortController();
  let done = (): void => undefined;
  const began = performance.now();
  const work = withSecretLock(() => new Promise<string>((resolve) => done = () => resolve("result")), {
    ...options,
    signal: controller.signal,
  });
  await pass(1);
  store.faults.write.push("silent", "silent", "silent"); // signing, and giving it back
  await pass(4);
  done();
  setTimeout(() => controller.abort(), 50);
  assertEquals(await work, "result");
  assert(performance.now() - began < 5_000);
});

test("whoever waits gives up in time, or when it is told to", async () => {
  const { store, options, pass } = start(new FaultySecretStore(), 5);
  await store.write("lock", { text: "theirs", revision: null }, never());
  const waiting = assertRejects(() => withSecretLock(() => Promise.resolve(), options), EnterpriseError);
  await pass(9);
  assertEquals((await waiting).code, "LOCK_TIMEOUT");
  const controller = new AbortController();
  const other = withSecretLock(() => Promise.resolve(), { ...options, signal: controller.signal });
  controller.abort();
  const error = await assertRejects(() => other, EnterpriseError);
  assert(error.code === "LOCK_TIMEOUT" || error.code === "KEYRING_LOCKED");
});

test("a store that fails while the lock is held loses nothing of the work", async () => {
  const store = new FaultySecretStore();
  const { options, pass } = start(store);
  let done = (): void => undefined;
  const work = withSecretLock((held) => {
    return new Promise<boolean>((resolve) => done = () => resolve(held.aborted));
  }, options);
  await pass(1);
  store.faults.write.push(...Array.from({ length: 20 }, () => "before" as const));
  await pass(7);
  done();
  assertEquals(await work, false);
});
