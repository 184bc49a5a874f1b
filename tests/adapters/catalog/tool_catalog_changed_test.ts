import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createFileCatalogStore } from "../../../adapters/catalog/file_store.ts";
import { createMemoryCatalogStore } from "../../../adapters/catalog/memory_store.ts";
import { ToolCatalog } from "../../../adapters/catalog/tool_catalog.ts";
import type { CatalogTrouble } from "../../../adapters/catalog/trouble.ts";
import type { CatalogEntry } from "../../../core/catalog/entry.ts";
import type { ListedTools } from "../../../core/catalog/keep.ts";
import type { CatalogKey } from "../../../core/catalog/key.ts";
import type { CatalogStore } from "../../../core/catalog/store.ts";
import { entryOf, inFolder, keyOf, later, listedOf, nameIn, until } from "./_entries.ts";

const clock = { now: () => 1000 };

async function list(catalog: ToolCatalog, key: CatalogKey, name: string): Promise<string> {
  const { source, tools } = await catalog.list({ key, fetch: () => Promise.resolve(listedOf(name)) });
  return `${source} ${tools[0]?.name}`;
}

test("changed tools are asked for again, and taken out of the store", () =>
  inFolder(async (folder) => {
    const store = createFileCatalogStore({ folder });
    const key = await keyOf("a");
    const catalog = new ToolCatalog({ clock, store });
    await list(catalog, key, "old");
    catalog.changed(key);
    await catalog.settled();
    assertEquals(await store.read(key), null);
    assertEquals(await list(catalog, key, "new"), "server new");
    await catalog.settled();
    assertEquals(await nameIn(store, key), "new");
    catalog.changed(null); // an enterprise server's: there is nothing
    assertEquals(await list(catalog, key, "never"), "memory new");
  }));

test("an answer from before the change is given to who waits, and not kept; who comes after asks anew", async () => {
  const store = createMemoryCatalogStore();
  const key = await keyOf("a");
  const catalog = new ToolCatalog({ clock, store });
  const [old, fresh] = [later<ListedTools>(), later<ListedTools>()];
  let asked = 0;
  const fetchOf = (answer: Promise<ListedTools>) => () => (asked++, answer);
  const before = catalog.list({ key, fetch: fetchOf(old.promise) });
  await until(() => asked > 0);
  catalog.changed(key);
  const after = catalog.list({ key, fetch: fetchOf(fresh.promise) });
  await until(() => asked > 1);
  fresh.resolve(listedOf("new"));
  assertEquals((await after).tools[0]?.name, "new");
  old.resolve(listedOf("old"));
  assertEquals((await before).tools[0]?.name, "old");
  await catalog.settled();
  assertEquals([await nameIn(store, key), await list(catalog, key, "x"), asked], ["new", "memory new", 2]);
});

test("a change while the store is being read makes what is read void", async () => {
  const key = await keyOf("a");
  const memory = createMemoryCatalogStore();
  await memory.write(key, entryOf("old"));
  const reading = later<void>();
  let reads = 0;
  const store: CatalogStore = {
    ...memory,
    read: async (key) => {
      const entry = await memory.read(key); // before it is dropped
      reads++;
      await reading.promise;
      return entry;
    },
  };
  const catalog = new ToolCatalog({ clock: { now: () => 1000.5 }, store });
  const listed = list(catalog, key, "new");
  await until(() => reads > 0);
  catalog.changed(key);
  reading.resolve();
  assertEquals(await listed, "server new");
});

test("a change while the store is being written takes out what is written", async () => {
  const key = await keyOf("a");
  const memory = createMemoryCatalogStore();
  const writing = later<void>();
  const store: CatalogStore = {
    ...memory,
    write: async (key, entry) => {
      await writing.promise;
      await memory.write(key, entry);
    },
  };
  const catalog = new ToolCatalog({ clock, store });
  await list(catalog, key, "old");
  catalog.changed(key);
  writing.resolve();
  await catalog.settled();
  assertEquals(await memory.read(key), null);
});

test("what a store cannot take out is not used all the same, until someone fetched it anew", async () => {
  const key = await keyOf("a");
  const memory = createMemoryCatalogStore();
  const store: CatalogStore = { ...memory, drop: () => Promise.reject(new Error("read-only")) };
  let now = 1000;
  const catalog = new ToolCatalog({ clock: { now: () => now }, store });
  await list(catalog, key, "old");
  await catalog.settled();
  now = 1001;
  catalog.changed(key);
  await catalog.settled();
  assertEquals(await nameIn(memory, key), "old");
  const stale = listedOf("asked", { hints: [] });
  const asked = await catalog.list({ key, fetch: () => Promise.resolve(stale) });
  assertEquals(asked.tools[0]?.name, "asked");
  await memory.write(key, entryOf("other process", { fetchedAt: 1002 }));
  now = 1003;
  assertEquals(await list(catalog, key, "x"), "store other process");
});

test("a store of the host that fails is said once, nonsense is a miss, and neither is ever an error", async () => {
  const key = await keyOf("a");
  const fail = (): never => {
    throw new Error("secret detail");
  };
  const failing: CatalogStore = { read: fail, write: fail, drop: () => Promise.reject(new Error("x")) };
  const nonsense = (value: unknown): CatalogStore => ({
    ...createMemoryCatalogStore(),
    read: () => Promise.resolve(value as CatalogEntry),
  });
  const values = [undefined, 7, {}, { ...entryOf("x"), ttlMs: 1e300 }, { ...entryOf("x"), tools: [{}] }];
  for (const [at, store] of [failing, ...values.map(nonsense)].entries()) {
    const troubles: CatalogTrouble[] = [];
    const catalog = new ToolCatalog({ clock, store, report: (trouble) => troubles.push(trouble) });
    assertEquals(await list(catalog, key, "echo"), "server echo");
    assertEquals(await list(catalog, key, "echo"), "memory echo", "memory alone");
    catalog.changed(key);
    await catalog.settled();
    assertEquals(troubles.map(({ reason }) => reason), at === 0 ? ["store"] : []);
    assertEquals(JSON.stringify(troubles).includes("secret"), false);
  }
});
