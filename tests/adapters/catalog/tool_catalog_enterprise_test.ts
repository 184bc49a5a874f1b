import { assertEquals } from "@std/assert";
import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import { createFileCatalogStore } from "../../../adapters/catalog/file_store.ts";
import { ToolCatalog } from "../../../adapters/catalog/tool_catalog.ts";
import { createDigest } from "../../../adapters/http/transport/digest.ts";
import { catalogKey } from "../../../core/catalog/key.ts";
import type { CatalogStore } from "../../../core/catalog/store.ts";
import { inFolder, keyOf, later, listedOf } from "./_entries.ts";

const clock = { now: () => 1000 };

/** A store over another that counts how often it is used. */
function counted(store: CatalogStore): { readonly store: CatalogStore; readonly used: () => number } {
  let used = 0;
  return {
    store: {
      read: (key) => (used++, store.read(key)),
      write: (key, entry) => (used++, store.write(key, entry)),
      drop: (key) => (used++, store.drop(key)),
    },
    used: () => used,
  };
}

test("an enterprise server is asked every time, and leaves no trace in any store", () =>
  inFolder(async (folder) => {
    const { store, used } = counted(createFileCatalogStore({ folder }));
    const catalog = new ToolCatalog({ clock, store });
    const key = await catalogKey({ kind: "enterprise" }, createDigest());
    let asked = 0;
    const hints = [
      [{ ttlMs: 86_400_000, cacheScope: "public" }],
      [{ ttlMs: 86_400_000, cacheScope: "private" }],
      [{ ttlMs: 1000, cacheScope: "shared" }],
      [{}],
      [],
    ];
    for (const era of ["modern", "legacy"] as const) {
      for (const says of hints) {
        for (const refresh of [false, true, false]) {
          asked++;
          const name = `secret-${asked}`;
          const fetch = () => Promise.resolve(listedOf(name, { hints: says, era }));
          const { tools, source } = await catalog.list({ key, fetch, refresh });
          assertEquals([tools[0]?.name, source], [name, "server"]);
        }
      }
    }
    catalog.changed(key);
    await catalog.settled();
    assertEquals([asked, used()], [30, 0]);
    assertEquals(await readdir(dirname(dirname(folder))), [], "not even the folder is made");
    await catalog.list({ key: await keyOf("ordinary"), fetch: () => Promise.resolve(listedOf("public")) });
    await catalog.settled();
    assertEquals((await readdir(folder)).length, 1, "while an ordinary server's is kept in the same place");
    assertEquals((await stat(folder)).isDirectory(), true);
  }));

test("accounts that list an enterprise server at the same time never share an answer", async () => {
  const catalog = new ToolCatalog({ clock });
  const gate = later<void>();
  let begun = 0;
  const listed = ["alice", "bob", "alice"].map(async (account) => {
    const fetch = async () => {
      begun++;
      await gate.promise;
      return listedOf(account);
    };
    return (await catalog.list({ key: null, fetch })).tools[0]?.name;
  });
  assertEquals(begun, 3, "each has a request of its own, under way at once");
  gate.resolve();
  assertEquals(await Promise.all(listed), ["alice", "bob", "alice"]);
});

test("what an enterprise server answers is handed over as it came, and failures too", async () => {
  const catalog = new ToolCatalog({ clock });
  const listed = listedOf("x");
  const { tools } = await catalog.list({ key: null, fetch: () => Promise.resolve(listed) });
  assertEquals(tools === listed.tools, true);
  let failure = "";
  await catalog.list({ key: null, fetch: () => Promise.reject(new Error("revoked")) })
    .catch((error: Error) => failure = error.message);
  assertEquals(failure, "revoked");
});
