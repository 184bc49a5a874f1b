import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { GrantRecord } from "../../../core/enterprise/grant/record.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { type Bench, KEY, OTHER_KEY, PROVIDER_KEY, record, withStore } from "./records.ts";

const { signal } = new AbortController();

const write = (store: Bench["store"], one: GrantRecord, key = KEY): Promise<void> =>
  store.locked((grants) => grants.write(key, one), signal);
const read = (store: Bench["store"], key = KEY): Promise<GrantRecord | null> =>
  store.locked((grants) => grants.read(key), signal);
const entry = (account: string): { service: string; account: string } => ({ service: "codex-mcp", account });

/** Signs out while the keyring does not delete. */
async function endLocked({ store, keyring }: Bench): Promise<void> {
  keyring.locked = ["delete"];
  await store.locked((grants) => grants.endSignIn({ key: null, generation: "12".repeat(16) }), signal);
  keyring.locked = [];
}

test("a sign-in of the same account replaces what a sign-out could not delete", () =>
  withStore(async (bench) => {
    const { store, again } = bench;
    await write(store, record("1"));
    await endLocked(bench);
    await write(again(), record("2"));
    assertEquals(await store.marker(), { current: KEY, generation: record("2").generation, revision: 0 });
    assertEquals([await read(store), await read(again())], [record("2"), record("2")]);
  }));

test("a sign-in of another account deletes it", () =>
  withStore(async (bench) => {
    const { store, keyring } = bench;
    await write(store, record("1"));
    await endLocked(bench);
    await write(store, record("2"), OTHER_KEY);
    assertEquals(await keyring.read(entry(KEY), signal), null);
    assertEquals((await store.marker())?.voided, undefined);
  }));

test("what cannot be deleted still stays void, and does not keep another account from signing in", () =>
  withStore(async (bench) => {
    const { store, keyring, again } = bench;
    await write(store, record("1"));
    await endLocked(bench);
    keyring.locked = ["delete"];
    await write(store, record("2"), OTHER_KEY);
    assertEquals((await store.marker())?.voided, [KEY]);
    assertEquals([await read(again()), await read(again(), OTHER_KEY)], [null, record("2")]);
    assertEquals(await refusedCode(() => write(store, record("3"))), "KEYRING_LOCKED");
    assertEquals((await store.marker())?.current, OTHER_KEY);
  }));

test("a crash before the new item is written does not bring the void one back", () =>
  withStore(async (bench) => {
    const { store, keyring, again, folder } = bench;
    await write(store, record("1"));
    await endLocked(bench);
    keyring.locked = ["write"];
    assertEquals(await refusedCode(() => write(store, record("2"))), "KEYRING_LOCKED");
    // what a process leaves that was killed where this one put the marker back
    const killed = JSON.stringify({
      version: 1,
      current: KEY,
      generation: record("2").generation,
      revision: 0,
    });
    await writeFile(`${folder}/${PROVIDER_KEY}.json`, killed);
    keyring.locked = [];
    assertEquals(await read(again()), null);
  }));

test("a trial leaves nothing, and tells of a keyring that does not store", () =>
  withStore(async ({ store, keyring }) => {
    const tryOut = (): Promise<void> =>
      store.locked((grants) => grants.tryOut?.(KEY) ?? Promise.reject(), signal);
    await tryOut();
    assertEquals([await keyring.read(entry(KEY), signal), await store.marker()], [null, null]);
    keyring.locked = ["write"];
    assertEquals([await read(store), await refusedCode(tryOut)], [null, "KEYRING_LOCKED"]);
  }));
