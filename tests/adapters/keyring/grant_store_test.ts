import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { GrantStore } from "../../../adapters/keyring/grant_store.ts";
import { rotateGrant } from "../../../core/enterprise/grant/record.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { FaultyKeyring, KEY, loadLock, record, withStore } from "./records.ts";

const { signal } = new AbortController();

test("nothing is made, read or loaded before it is needed", async () => {
  const keyring = new FaultyKeyring();
  const store = new GrantStore({
    keyring,
    folder: "/nowhere/at/all",
    provider: "0".repeat(64),
    loadLock: () => Promise.reject(new Error("loaded")),
  });
  assertEquals(await store.marker(), null);
  assertEquals(keyring.take(), "");
});

test("the key of the client is a digest, so that it is the name of no other file", () => {
  const make = (provider: string): GrantStore =>
    new GrantStore({ keyring: new FaultyKeyring(), folder: "/tmp", provider, loadLock });
  for (const provider of ["", "../x", "A".repeat(64), "0".repeat(63)]) {
    assertThrows(() => make(provider), EnterpriseError);
  }
});

test("one at a time, in whatever store of the process", () =>
  withStore(async ({ store, again }) => {
    await store.locked((grants) => grants.write(KEY, record("1")), signal);
    const stores = [store, again(), again()];
    let inside = 0;
    let most = 0;
    await Promise.all(Array.from({ length: 12 }, (_, index) =>
      stores[index % 3]?.locked(async (grants) => {
        most = Math.max(most, ++inside);
        const held = await grants.read(KEY);
        if (held !== null) await grants.write(KEY, rotateGrant(held, { refreshToken: `r${index}` }));
        inside--;
      }, signal)));
    assertEquals(most, 1);
    assertEquals((await store.marker())?.revision, 12);
  }));

test("the lock is let go when the work fails", () =>
  withStore(async ({ store }) => {
    const failure = store.locked(() => Promise.reject(new TypeError("mine")), signal);
    assertEquals(await failure.catch((error: unknown) => String(error)), "TypeError: mine");
    assertEquals(await store.locked(() => Promise.resolve("next"), signal), "next");
  }));

test("waiting for the lock ends in time, or when the caller gives up", () =>
  withStore(async ({ store, again }) => {
    await store.locked(async () => {
      assertEquals(await refusedCode(() => again().locked(() => Promise.resolve(), signal)), "LOCK_TIMEOUT");
      const given = AbortSignal.abort();
      assertEquals(await refusedCode(() => again().locked(() => Promise.resolve(), given)), "LOCK_TIMEOUT");
    }, signal);
  }, { lockSeconds: 0.2 }));

test("the lock is kept until a write that was given up has ended", () =>
  withStore(async ({ store, again, keyring }) => {
    let settle = (): void => undefined;
    keyring.pending = new Promise((resolve) => settle = resolve);
    await store.locked(() => Promise.resolve(), signal);
    keyring.pending = null;
    const order: string[] = [];
    const next = again().locked(() => Promise.resolve(order.push("next")), signal);
    await new Promise((resolve) => setTimeout(resolve, 100));
    order.push("settled");
    settle();
    await next;
    assertEquals(order, ["settled", "next"]);
  }));
