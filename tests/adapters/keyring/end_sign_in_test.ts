import { assert, assertEquals } from "@std/assert";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { compareMarker } from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, rotateGrant } from "../../../core/enterprise/grant/record.ts";
import type { EndedSignIn } from "../../../adapters/http/grants/grant_source.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { type Bench, KEY, OTHER_KEY, PROVIDER_KEY, record, withStore } from "./records.ts";

const { signal } = new AbortController();
const generation = "12".repeat(16);
const NOBODY = { current: null, generation, revision: 0 };

const write = (store: Bench["store"], one: GrantRecord, key = KEY): Promise<void> =>
  store.locked((grants) => grants.write(key, one), signal);
const read = (store: Bench["store"], key = KEY): Promise<GrantRecord | null> =>
  store.locked((grants) => grants.read(key), signal);
const end = (store: Bench["store"], key: string | null = null): Promise<EndedSignIn> =>
  store.locked((grants) => grants.endSignIn({ key, generation }), signal);
const entry = { service: "codex-mcp", account: KEY };

test("a sign-in that is ended is void and gone, and what it held is handed out once", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    assertEquals(await end(store), { key: KEY, records: [record("1")], deleted: true, fault: null });
    assertEquals([await store.marker(), await keyring.read(entry, signal)], [NOBODY, null]);
    assertEquals(await read(again()), null);
    assertEquals(await end(store), { key: null, records: [], deleted: false, fault: null });
  }));

for (const locked of [["read", "write", "delete"], ["delete"]] as const) {
  test(`a keyring that refuses to ${locked.join(", ")}: void all the same, and deleted the next time`, () =>
    withStore(async ({ store, again, keyring }) => {
      await write(store, record("1"));
      keyring.locked = locked;
      const other = again(); // another process, which remembers nothing
      const ended = await end(other);
      assertEquals([ended.key, ended.deleted, ended.fault?.code], [KEY, false, "KEYRING_LOCKED"]);
      assertEquals(ended.records, locked.length > 1 ? [] : [record("1")]);
      assertEquals(await store.marker(), { ...NOBODY, voided: [KEY] });
      for (const one of [store, other, again()]) assertEquals(await read(one), null, "it is usable");
      keyring.locked = [];
      for (const one of [store, other, again()]) assertEquals(await read(one), null, "it came back");
      assert(await keyring.read(entry, signal) !== null);
      assertEquals(await end(again()), { key: null, records: [record("1")], deleted: true, fault: null });
      assertEquals([await store.marker(), await keyring.read(entry, signal)], [NOBODY, null]);
    }));
}

test("a token that this process remembers is handed out where the keyring gives none", () =>
  withStore(async ({ store, keyring }) => {
    await write(store, record("1"));
    keyring.locked = ["write"];
    const rotated = rotateGrant(record("1"), { refreshToken: "second" });
    assertEquals(await refusedCode(() => write(store, rotated)), "KEYRING_LOCKED");
    keyring.locked = ["read", "write", "delete"];
    assertEquals((await end(store)).records, [rotated]);
    assertEquals((await end(store)).records, [], "it is remembered after a sign-out");
  }));

test("another account's sign-in stays in force, and everyone is told to look", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"), OTHER_KEY);
    await write(store, record("2"));
    keyring.locked = ["delete"];
    assertEquals((await end(store, OTHER_KEY)).fault?.code, "KEYRING_LOCKED");
    const { generation: held } = record("2");
    const marker = { current: KEY, generation: held, revision: 0, change: generation, voided: [OTHER_KEY] };
    assertEquals(await store.marker(), marker);
    keyring.locked = [];
    const other = again();
    assertEquals([await read(other, OTHER_KEY), await read(other)], [null, record("2")]);
    assertEquals(await other.marker(), marker);
    await write(other, rotateGrant(record("2"), { refreshToken: "next" }));
    assertEquals(await other.marker(), { ...marker, revision: 1 }, "a rotation forgot what is void");
    const ended = await end(other);
    assertEquals(ended.records.map(({ refreshToken }) => refreshToken), ["next", "refresh-1"]);
    assertEquals(await other.marker(), NOBODY);
  }));

test("an item that is no grant is deleted", () =>
  withStore(async ({ store, keyring }) => {
    await write(store, record("1"));
    await keyring.write(entry, { secret: "no grant", signal });
    assertEquals(await end(store), { key: KEY, records: [], deleted: true, fault: null });
  }));

test("the sign-out of another account is noticed, although the current one is looked at first", () =>
  withStore(async ({ store, again }) => {
    await write(store, record("1"), OTHER_KEY);
    await write(store, record("2"));
    const before = await store.marker();
    await end(again(), OTHER_KEY);
    await read(again());
    const now = await store.marker();
    assert(before !== null && now !== null);
    assertEquals([compareMarker(before, now), now.voided], ["replaced", undefined]);
  }));

test("a damaged marker: no item counts any more, and one that may be left is told", () =>
  withStore(async ({ store, again, folder, keyring }) => {
    const marker = `${folder}/${PROVIDER_KEY}.json`;
    await write(store, record("1"));
    await writeFile(marker, "{");
    const { fault, ...ended } = await end(again());
    assertEquals([ended, fault?.code], [{ key: null, records: [], deleted: false }, "MARKER_MALFORMED"]);
    assertEquals(await store.marker(), { ...NOBODY, only: [] });
    for (const one of [store, again()]) assertEquals(await read(one), null, "it is usable");
    await write(again(), record("2"), OTHER_KEY);
    assertEquals([await read(again()), await read(again(), OTHER_KEY)], [null, record("2")]);
    keyring.locked = ["write"];
    assertEquals(await refusedCode(() => write(again(), record("3"))), "KEYRING_LOCKED");
    assertEquals(await keyring.read(entry, signal), null, "a crash could have brought it back");
    keyring.locked = [];
    await write(again(), record("3"));
    assertEquals([await read(again()), await read(again(), OTHER_KEY)], [record("3"), record("2")]);
  }));

test("a damaged marker in a process that remembers the sign-in: it is deleted", () =>
  withStore(async ({ store, folder }) => {
    await write(store, record("1"));
    await writeFile(`${folder}/${PROVIDER_KEY}.json`, "{");
    assertEquals(await end(store), { key: KEY, records: [record("1")], deleted: true, fault: null });
  }));

test("a marker that cannot be replaced, and a keyring that is locked: void all the same", () =>
  withStore(async ({ store, again, folder, keyring }) => {
    const marker = `${folder}/${PROVIDER_KEY}.json`;
    await write(store, record("1"));
    await mkdir(`${marker}.new`);
    keyring.locked = ["read", "write", "delete"];
    assertEquals((await end(store)).fault?.code, "KEYRING_LOCKED");
    keyring.locked = [];
    await rm(`${marker}.new`, { recursive: true });
    for (const one of [store, again()]) assertEquals(await read(one), null, "it is usable");
    assertEquals(await store.marker(), { ...NOBODY, voided: [KEY] });
  }));

test("a marker that can neither be written nor taken away is told, and nothing is deleted", () =>
  withStore(async ({ store, folder, keyring }) => {
    await write(store, record("1"));
    const marker = `${folder}/${PROVIDER_KEY}.json`;
    await rm(marker);
    await mkdir(`${marker}/in the way`, { recursive: true });
    assertEquals(await refusedCode(() => end(store, KEY)), "MARKER_MALFORMED");
    assert(await keyring.read(entry, signal) !== null);
    await rm(marker, { recursive: true });
    await end(store, KEY);
    assert(!(await readFile(marker, "utf8")).includes("refresh"));
  }));
