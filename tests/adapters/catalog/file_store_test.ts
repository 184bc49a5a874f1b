import { assertEquals } from "@std/assert";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import { createFileCatalogStore } from "../../../adapters/catalog/file_store.ts";
import type { CatalogTrouble } from "../../../adapters/catalog/trouble.ts";
import { MAX_CATALOG_BYTES, writeCatalogRecord } from "../../../core/catalog/record.ts";
import type { CatalogStore } from "../../../core/catalog/store.ts";
import { entryOf, inFolder, keyOf, nameIn } from "./_entries.ts";

interface Watched {
  readonly store: CatalogStore;
  readonly troubles: readonly CatalogTrouble[];
}

function storeIn(folder: string, entries?: number): Watched {
  const troubles: CatalogTrouble[] = [];
  const limit = entries === undefined ? {} : { entries };
  const store = createFileCatalogStore({ folder, ...limit, report: (trouble) => troubles.push(trouble) });
  return { store, troubles };
}

test("what one host writes another reads; the files are the user's alone", () =>
  inFolder(async (folder) => {
    const key = await keyOf("a");
    const { store, troubles } = storeIn(folder);
    assertEquals(await store.read(key), null);
    await store.write(key, entryOf("one"));
    await store.write(key, entryOf("two"));
    assertEquals(await storeIn(folder).store.read(key), entryOf("two"));
    assertEquals(await readdir(folder), [`${key}.v1.json`]);
    assertEquals((await stat(folder)).mode & 0o777, 0o700);
    assertEquals((await stat(`${folder}/${key}.v1.json`)).mode & 0o777, 0o600);
    await store.drop(key);
    await store.drop(key);
    assertEquals([await store.read(key), await readdir(folder), troubles], [null, [], []]);
  }));

test("what may not be shared, or is too large, is not written", () =>
  inFolder(async (folder) => {
    const { store, troubles } = storeIn(folder);
    const key = await keyOf("a");
    const tools = [{ name: "t", inputSchema: {}, description: "x".repeat(MAX_CATALOG_BYTES) }];
    for (const change of [{ cacheScope: "private" }, { cacheScope: null }, { tools }] as const) {
      await store.write(key, entryOf("one", change));
    }
    assertEquals([await store.read(key), await readdir(folder), troubles], [null, [], []]);
  }));

test("a file that is damaged, foreign, of another version or a link is a miss, and is written over", () =>
  inFolder(async (folder) => {
    const { store, troubles } = storeIn(folder);
    const [key, other] = [await keyOf("a"), await keyOf("b")];
    await store.write(key, entryOf("one"));
    const path = `${folder}/${key}.v1.json`;
    const text = await readFile(path, "utf8");
    const newer = JSON.stringify({ ...JSON.parse(text), version: 2 });
    const foreign = writeCatalogRecord(other, entryOf("one")) ?? "";
    const large = `${" ".repeat(MAX_CATALOG_BYTES)}${text}`;
    const bad = ["", "{", "null", newer, foreign, large, text.slice(0, -2), new Uint8Array([0xff, 0xfe])];
    for (const content of bad) {
      await writeFile(path, content);
      assertEquals(await store.read(key), null, String(content).slice(0, 40));
    }
    await writeFile(`${dirname(folder)}/elsewhere`, text);
    await rm(path);
    await symlink("../elsewhere", path);
    assertEquals(await store.read(key), null, "a link is not followed");
    await store.write(key, entryOf("two"));
    assertEquals(await nameIn(store, key), "two");
    assertEquals(await readFile(`${dirname(folder)}/elsewhere`, "utf8"), text, "nor written through");
    await rm(path);
    await symlink("../elsewhere", path);
    await store.drop(key);
    assertEquals(await readFile(`${dirname(folder)}/elsewhere`, "utf8"), text, "nor followed to be removed");
    assertEquals([await readdir(folder), troubles], [[], []]);
  }));

test("a later version's file lies beside ours: neither is in the other's way", () =>
  inFolder(async (folder) => {
    const { store } = storeIn(folder);
    const key = await keyOf("a");
    await store.write(key, entryOf("one"));
    await writeFile(`${folder}/${key}.v2.json`, "what we cannot know");
    await store.write(key, entryOf("two"));
    assertEquals(await nameIn(store, key), "two");
    assertEquals(await readFile(`${folder}/${key}.v2.json`, "utf8"), "what we cannot know");
  }));

test("what a crash between writing and renaming leaves is never read", () =>
  inFolder(async (folder) => {
    const { store } = storeIn(folder);
    const key = await keyOf("a");
    await store.write(key, entryOf("old"));
    await writeFile(`${folder}/.${key}.v1.json.${crypto.randomUUID()}.new`, '{"version":1,"key":"');
    assertEquals(await nameIn(store, key), "old");
    await store.write(key, entryOf("new"));
    assertEquals(await nameIn(storeIn(folder).store, key), "new");
  }));

test("there are never more catalogs than allowed, and the one just written is among them", () =>
  inFolder(async (folder) => {
    const { store } = storeIn(folder, 3);
    for (let at = 0; at < 8; at++) {
      const key = await keyOf(String(at));
      await store.write(key, entryOf(String(at)));
      assertEquals(await nameIn(store, key), String(at));
      assertEquals((await readdir(folder)).length, Math.min(at + 1, 3));
    }
  }));

test("a folder that cannot be had is said once; then nothing is kept, and nothing is an error", () =>
  inFolder(async (folder) => {
    await mkdir(dirname(folder), { recursive: true });
    await writeFile(folder, "not a folder");
    const key = await keyOf("a");
    for (const place of [folder, `${folder}/below`]) {
      const { store, troubles } = storeIn(place);
      await Promise.all([store.read(key), store.write(key, entryOf("x")), store.drop(key)]);
      await store.write(key, entryOf("x"));
      assertEquals(await store.read(key), null);
      assertEquals(troubles.map(({ reason }) => reason), ["folder"]);
      assertEquals(troubles[0]?.message.startsWith(`Cannot keep tool catalogs in "`), true);
    }
    assertEquals(await readFile(folder, "utf8"), "not a folder");
  }));

test("a folder that is a link is not used: it may lead into someone else's", () =>
  inFolder(async (folder) => {
    const key = await keyOf("a");
    await storeIn(`${dirname(folder)}/real`).store.write(key, entryOf("planted"));
    await symlink("real", folder);
    const { store, troubles } = storeIn(folder);
    assertEquals(await store.read(key), null);
    await store.drop(key);
    assertEquals(troubles.map(({ reason }) => reason), ["folder"]);
    assertEquals(await nameIn(storeIn(`${dirname(folder)}/real`).store, key), "planted");
  }));

test("caches that were cleared meanwhile are made again", () =>
  inFolder(async (folder) => {
    const { store, troubles } = storeIn(folder);
    const key = await keyOf("a");
    await store.write(key, entryOf("one"));
    await rm(dirname(folder), { recursive: true });
    assertEquals(await store.read(key), null);
    await store.write(key, entryOf("two"));
    assertEquals([await nameIn(store, key), troubles], ["two", []]);
  }));

test("a file that cannot be written is said once", () =>
  inFolder(async (folder) => {
    const { store, troubles } = storeIn(folder);
    const key = await keyOf("a");
    await mkdir(`${folder}/${key}.v1.json/x`, { recursive: true });
    await store.write(key, entryOf("one"));
    await store.drop(key);
    await store.write(key, entryOf("one"));
    assertEquals(await store.read(key), null);
    assertEquals(troubles.map(({ reason }) => reason), ["file"]);
    const other = await keyOf("b");
    await store.write(other, entryOf("other"));
    assertEquals(await nameIn(store, other), "other", "the others are kept");
    assertEquals((await readdir(folder)).length, 2);
  }));
