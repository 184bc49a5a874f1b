import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createMemoryCatalogStore } from "../../../adapters/catalog/memory_store.ts";
import { OrderedStore } from "../../../adapters/catalog/ordered_store.ts";
import type { CatalogTrouble } from "../../../adapters/catalog/trouble.ts";
import type { CatalogEntry } from "../../../core/catalog/entry.ts";
import { entryOf, keyOf, later, nameIn } from "./_entries.ts";

test("uses of one key wait for each other, those of another do not", async () => {
  const memory = createMemoryCatalogStore();
  const [slow, quick] = [await keyOf("slow"), await keyOf("quick")];
  const gate = later<void>();
  const done: string[] = [];
  const store = new OrderedStore({
    ...memory,
    write: async (key, entry) => {
      if (key === slow) await gate.promise;
      await memory.write(key, entry);
      done.push(entry.tools[0]?.name ?? "");
    },
  });
  const dropped = store.write(slow, entryOf("one")).then(() => done.push("seen"));
  const last = store.drop(slow);
  await store.write(quick, entryOf("two"));
  assertEquals([done, await nameIn(store, quick)], [["two"], "two"]);
  gate.resolve();
  await Promise.all([dropped, last]);
  await store.settled();
  assertEquals([done, await store.read(slow)], [["two", "one", "seen"], null]);
});

test("a use that fails does not keep the next one from being tried, and is said once", async () => {
  const key = await keyOf("a");
  const memory = createMemoryCatalogStore();
  const troubles: CatalogTrouble[] = [];
  let down = true;
  const store = new OrderedStore({
    ...memory,
    write: (key, entry) => {
      if (down) throw new Error("secret detail");
      return memory.write(key, entry);
    },
  }, (trouble) => troubles.push(trouble));
  await store.write(key, entryOf("one"));
  await store.write(key, entryOf("two"));
  down = false;
  await store.write(key, entryOf("three"));
  assertEquals(await nameIn(store, key), "three");
  assertEquals(troubles, [
    { reason: "store", message: "Cannot keep tool catalogs: the store that the host was given fails" },
  ]);
});

test("what is no entry is none", async () => {
  const key = await keyOf("a");
  for (
    const value of [undefined, 7, {}, { ...entryOf("x"), ttlMs: 1e300 }, { ...entryOf("x"), tools: [{}] }]
  ) {
    const read = () => Promise.resolve(value as CatalogEntry);
    assertEquals(await new OrderedStore({ ...createMemoryCatalogStore(), read }).read(key), null);
  }
});
