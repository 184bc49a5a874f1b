/**
 * A process that writes and drops catalogs in the folder that it is given, over and over, until it is killed. Says
 * that it has begun.
 *
 * @module
 */

import process from "node:process";
import { createFileCatalogStore } from "../../../adapters/catalog/file_store.ts";
import { entryOf, keyOf } from "./_entries.ts";

const [folder = "", name = "", entries = "0"] = process.argv.slice(2);
const store = createFileCatalogStore({ folder, entries: Number(entries) });
for (let round = 0;; round++) {
  const key = await keyOf(String(round % 7));
  const tools = [{ name, inputSchema: {}, description: name.repeat(20_000) }];
  await store.write(key, entryOf(name, { tools }));
  if (round % 5 === 4) await store.drop(key);
  if (round === 1) console.log("begun");
}
