import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createMemoryCatalogStore } from "../../../adapters/catalog/memory_store.ts";
import { entryOf, keyOf, nameIn } from "./_entries.ts";

test("what is written is read, until it is dropped", async () => {
  const store = createMemoryCatalogStore();
  const [a, b] = [await keyOf("a"), await keyOf("b")];
  assertEquals(await store.read(a), null);
  await store.write(a, entryOf("one"));
  await store.write(a, entryOf("two"));
  assertEquals([await nameIn(store, a), await nameIn(store, b)], ["two", null]);
  await store.drop(a);
  await store.drop(a);
  assertEquals(await store.read(a), null);
});

test("the one that was not used for longest makes room", async () => {
  const store = createMemoryCatalogStore({ entries: 2 });
  const [a, b, c] = [await keyOf("a"), await keyOf("b"), await keyOf("c")];
  await store.write(a, entryOf("a"));
  await store.write(b, entryOf("b"));
  await store.read(a);
  await store.write(c, entryOf("c"));
  assertEquals(await Promise.all([a, b, c].map((key) => nameIn(store, key))), ["a", null, "c"]);
});

test("by default 256 are kept", async () => {
  const store = createMemoryCatalogStore();
  const keys = await Promise.all(Array.from({ length: 257 }, (_, at) => keyOf(String(at))));
  for (const key of keys) await store.write(key, entryOf("x"));
  const kept = await Promise.all(keys.map((key) => nameIn(store, key)));
  assertEquals(kept.indexOf("x"), 1);
  assertEquals(kept.filter((name) => name === "x").length, 256);
});
