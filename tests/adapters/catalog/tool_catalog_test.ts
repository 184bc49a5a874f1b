import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createFileCatalogStore } from "../../../adapters/catalog/file_store.ts";
import { ToolCatalog, type ToolCatalogOptions } from "../../../adapters/catalog/tool_catalog.ts";
import type { ListedTools } from "../../../core/catalog/keep.ts";
import type { CatalogKey } from "../../../core/catalog/key.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { inFolder, keyOf, later, listedOf, until } from "./_entries.ts";

/** A host: a catalog, a clock that is moved by hand, and a server that counts how often it is asked. */
function host(options: Partial<ToolCatalogOptions> = {}) {
  const state = { now: 1000, asked: 0, says: listedOf("echo") };
  const catalog = new ToolCatalog({ clock: { now: () => state.now }, ...options });
  const fetch = (): Promise<ListedTools> => {
    state.asked++;
    return Promise.resolve(state.says);
  };
  /** Where the tools come from, and the name of the first. */
  const list = async (key: CatalogKey | null, refresh = false): Promise<string> => {
    const { source, tools } = await catalog.list({ key, fetch, refresh });
    return `${source} ${tools[0]?.name}`;
  };
  return { state, catalog, list };
}

/** Runs `body` with a store in files, and waits until the hosts in it have told it everything. */
const inStore = (body: (options: Pick<ToolCatalogOptions, "store">) => Promise<void>) =>
  inFolder(async (folder) => {
    const store = createFileCatalogStore({ folder });
    const under = new Set<Promise<unknown>>();
    const tracked = <T>(work: Promise<T>): Promise<T> => (under.add(work), work);
    await body({
      store: {
        read: (key) => tracked(store.read(key)),
        write: (key, entry) => tracked(store.write(key, entry)),
        drop: (key) => tracked(store.drop(key)),
      },
    });
    await Promise.all(under);
  });

test("a second start lists the tools without asking the server", () =>
  inStore(async (options) => {
    const key = await keyOf("a");
    const first = host(options);
    assertEquals(await first.list(key), "server echo");
    assertEquals(await first.list(key), "memory echo");
    await first.catalog.settled();
    const second = host(options);
    assertEquals([await second.list(key), await second.list(key)], ["store echo", "memory echo"]);
    assertEquals([first.state.asked, second.state.asked], [1, 0]);
    assertEquals(await second.list(await keyOf("b")), "server echo", "another server is another key");
    const { era, protocol, fetchedAt } = await second.catalog.list({ key, fetch: () => Promise.reject() });
    assertEquals([era, protocol, fetchedAt], ["modern", "2026-07-28", 1000]);
  }));

test("after its life the server is asked again, here and there, and when the clock was put back too", () =>
  inStore(async (options) => {
    const key = await keyOf("a");
    const first = host(options);
    await first.list(key);
    first.state.now = 1059.9;
    assertEquals(await first.list(key), "memory echo");
    for (const now of [1060, 900]) {
      first.state.now = now;
      assertEquals(await first.list(key), "server echo");
    }
    await first.catalog.settled();
    const second = host(options);
    second.state.now = 899;
    assertEquals(await second.list(key), "server echo");
  }));

test("concurrent callers make one request", () =>
  inStore(async (options) => {
    const { state, list } = host(options);
    const [one, key] = [await keyOf("a"), await keyOf("b")];
    const plain = await Promise.all(Array.from({ length: 50 }, () => list(one)));
    assertEquals([new Set(plain), state.asked], [new Set(["server echo"]), 1]);
    state.asked = 0;
    await Promise.all(Array.from({ length: 50 }, (_, at) => list(key, at % 7 === 0)));
    assertEquals(state.asked, 1, "who refreshes joins too");
  }));

test("a request that fails is not kept, and what was kept before stays", async () => {
  const key = await keyOf("a");
  const { state, catalog, list } = host();
  const fails = () => Promise.reject(new Error("down"));
  const waiting = [catalog.list({ key, fetch: fails }), catalog.list({ key, fetch: fails })];
  for (const one of waiting) await assertRejects(() => one, Error, "down");
  assertEquals(await list(key), "server echo");
  await assertRejects(() => catalog.list({ key, fetch: fails, refresh: true }), Error, "down");
  assertEquals([await list(key), state.asked], ["memory echo", 1]);
});

test("a refresh asks, and what it says takes the place of what was kept", () =>
  inStore(async (options) => {
    const key = await keyOf("a");
    const { state, catalog, list } = host(options);
    await list(key);
    state.says = listedOf("other");
    assertEquals([await list(key), await list(key, true), await list(key)], [
      "memory echo",
      "server other",
      "memory other",
    ]);
    await catalog.settled();
    assertEquals(await host(options).list(key), "store other");
  }));

test("a private catalog stays in the process, and takes a public one that was there out of the store", () =>
  inStore(async (options) => {
    const key = await keyOf("a");
    const { state, catalog, list } = host(options);
    await list(key);
    state.says = listedOf("mine", { hints: [{ ttlMs: 60_000, cacheScope: "private" }] });
    assertEquals([await list(key, true), await list(key)], ["server mine", "memory mine"]);
    await catalog.settled();
    assertEquals(await host(options).list(key), "server echo");
  }));

test("a catalog without a life is asked for each time, and takes out what was there", () =>
  inStore(async (options) => {
    const key = await keyOf("a");
    const { state, catalog, list } = host(options);
    await list(key);
    for (const ttlMs of [0, -5, undefined, "60000", NaN]) {
      state.says = listedOf("stale", { hints: [{ ttlMs, cacheScope: "public" }] });
      assertEquals([await list(key, true), await list(key)], ["server stale", "server stale"]);
    }
    await catalog.settled();
    assertEquals(await host(options).list(key), "server echo");
  }));

test("a legacy server's catalog is kept for five minutes, or for as long as the host says", () =>
  inStore(async (options) => {
    const key = await keyOf("a");
    const legacy = listedOf("old", { era: "legacy", hints: [{}], protocol: "2025-11-25" });
    const first = host(options);
    first.state.says = legacy;
    await first.list(key);
    await first.catalog.settled();
    const at = async (now: number, legacyTtlMs?: number): Promise<boolean> => {
      const other = host({ ...options, ...(legacyTtlMs === undefined ? {} : { legacyTtlMs }) });
      other.state.now = now;
      let asked = false;
      const fetch = () => (asked = true, Promise.reject(new Error("not needed")));
      await other.catalog.list({ key, fetch }).catch(() => undefined);
      return asked;
    };
    assertEquals([await at(1299), await at(1300), await at(1010, 5000), await at(1000, 0)], [
      false,
      true,
      true,
      true,
    ]);
  }));

test("one who gives up leaves the others; when the last one does, the request is told and nothing kept", async () => {
  const key = await keyOf("a");
  const { catalog, list } = host();
  const answer = later<ListedTools>();
  const signals: AbortSignal[] = [];
  const fetch = (signal: AbortSignal) => (signals.push(signal), answer.promise);
  const controller = new AbortController();
  const waiting = [0, 1].map(() =>
    refusedCode(() => catalog.list({ key, fetch, signal: controller.signal }))
  );
  await until(() => signals.length > 0);
  controller.abort();
  assertEquals(await Promise.all(waiting), ["CALL_CANCELLED", "CALL_CANCELLED"]);
  assertEquals(signals.map(({ aborted }) => aborted), [true]);
  answer.resolve(listedOf("late"));
  await answer.promise;
  assertEquals(await list(key), "server echo");
});

test("what is kept cannot be changed by whoever listed it, nor by the server's answer", async () => {
  const key = await keyOf("a");
  const { state, catalog } = host();
  const { tools } = await catalog.list({ key, fetch: () => Promise.resolve(state.says) });
  assert(Object.isFrozen(tools) && Object.isFrozen(tools[0]) && Object.isFrozen(tools[0]?.inputSchema));
  (state.says.tools[0] as { name: string }).name = "changed";
  const again = await catalog.list({ key, fetch: () => Promise.reject() });
  assertEquals(again.tools[0]?.name, "echo");
});

test("what is not kept cannot be changed either: others may have waited for it", async () => {
  const { state, catalog } = host();
  state.says = { ...listedOf("echo"), hints: [{ ttlMs: 0 }] };
  const key = await keyOf("a");
  const fetch = (): Promise<ListedTools> => Promise.resolve(state.says);
  const [one, two] = await Promise.all([catalog.list({ key, fetch }), catalog.list({ key, fetch })]);
  assert(one.tools === two.tools && Object.isFrozen(one.tools) && Object.isFrozen(one.tools[0]?.inputSchema));
});

test("what is held is told without asking", async () => {
  const { state, catalog, list } = host();
  const key = await keyOf("a");
  assertEquals([await catalog.held(key), await catalog.held(null)], [null, null]);
  await list(key);
  assertEquals((await catalog.held(key))?.tools[0]?.name, "echo");
  state.now += 1e9;
  assertEquals([await catalog.held(key), state.asked], [null, 1]);
});
