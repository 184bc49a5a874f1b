import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createMemoryCatalogStore } from "../../../../../adapters/catalog/memory_store.ts";
import { ToolCatalog } from "../../../../../adapters/catalog/tool_catalog.ts";
import { createClock } from "../../../../../adapters/http/transport/clock.ts";
import { createDigest } from "../../../../../adapters/http/transport/digest.ts";
import type { CallConnection } from "../../../../../adapters/mcp/host/call/run_call.ts";
import { ToolLists } from "../../../../../adapters/mcp/host/tools/tool_lists.ts";
import type { ServerEntry } from "../../../../../core/configuration/entry.ts";
import type { CatalogStore } from "../../../../../core/catalog/store.ts";
import { httpEntry } from "../connect/bench.ts";
import { serveInProcess } from "../in_process.ts";
import { stdioEntry } from "../thread_rig.ts";

/** Lists over one legacy server in this process, and how often it was asked. */
function listsOver(store: CatalogStore, environment: Readonly<Record<string, string>> = {}): {
  list(entry: ServerEntry, refresh?: boolean): Promise<readonly string[]>;
  readonly lists: ToolLists;
  readonly asked: () => number;
  /** Where each listing came from. */
  readonly sources: readonly string[];
} {
  const server = serveInProcess((one) => one.registerTool("a", {}, () => ({ content: [] })), {
    legacy: true,
  });
  const connection = server.connect(stdioEntry("s"));
  const lists = new ToolLists({
    catalog: new ToolCatalog({ clock: createClock(), store }),
    digest: createDigest(),
    environment,
    directory: "/",
    clientInfo: { name: "test", version: "1" },
    capabilities: {},
  });
  const { signal } = new AbortController();
  const sources: string[] = [];
  return {
    lists,
    sources,
    asked: () => server.sent.filter((text) => text.includes("tools/list")).length,
    list: async (entry, refresh = false) => {
      const open = (): Promise<CallConnection> => connection.open();
      const { tools, source } = await lists.list({ entry }, { open, refresh, signal });
      sources.push(source);
      return tools.map(({ name }) => name);
    },
  };
}

test("an ordinary server is asked once, until somebody wants it anew or it says that something changed", async () => {
  const one = listsOver(createMemoryCatalogStore());
  const entry = stdioEntry("s");
  assertEquals([await one.list(entry), await one.list({ ...entry, disabledTools: ["x"] })], [["a"], ["a"]]);
  assertEquals(one.asked(), 1);
  await one.list(entry, true);
  assertEquals(one.asked(), 2);
  await one.lists.changed(entry);
  await one.list(entry);
  assertEquals(one.asked(), 3);
  assertEquals(one.sources, ["server", "memory", "server", "server"]);
});

test("another configuration, and another value of what it only names, is another list", async () => {
  const store = createMemoryCatalogStore();
  const entry = httpEntry({ url: "http://127.0.0.1/", bearerTokenEnvVar: "TOKEN", envHeaders: { a: "A" } });
  const first = listsOver(store, { TOKEN: "one", A: "a" });
  await first.list(entry);
  await first.list({ ...entry, url: "http://127.0.0.1/other" });
  assertEquals(first.asked(), 2);
  for (const environment of [{ TOKEN: "two", A: "a" }, { TOKEN: "one", A: "b" }, { TOKEN: "one" }]) {
    const other = listsOver(store, environment as Record<string, string>);
    await other.list(entry);
    assertEquals(other.asked(), 1);
  }
});

test("an enterprise server is asked every time, and nothing of it is kept or looked for", async () => {
  const used: string[] = [];
  const refuse = (what: string) => () => Promise.resolve(void used.push(what) as never);
  const one = listsOver({ read: refuse("read"), write: refuse("write"), drop: refuse("drop") });
  const entry = { ...stdioEntry("e"), kind: "enterprise", server: {} } as unknown as ServerEntry;
  await one.list(entry);
  await one.list(entry);
  await one.lists.changed(entry);
  assertEquals([one.asked(), used], [2, []]);
});

test("what is known without asking is what is kept and fresh, and nothing of an enterprise server", async () => {
  const one = listsOver(createMemoryCatalogStore());
  const entry = stdioEntry("s");
  assertEquals(await one.lists.known(entry), []);
  await one.list(entry);
  assertEquals((await one.lists.known(entry)).map(({ name }) => name), ["a"]);
  await one.lists.changed(entry);
  const enterprise = { ...entry, kind: "enterprise", server: {} } as unknown as ServerEntry;
  await one.list(enterprise);
  assertEquals([await one.lists.known(entry), await one.lists.known(enterprise), one.asked()], [[], [], 2]);
});

test("a variable that has the name of what every object has is not set", async () => {
  const store = createMemoryCatalogStore();
  const entry = stdioEntry("s", { envVars: ["constructor", "toString"] });
  await listsOver(store, {}).list(entry);
  const second = listsOver(store, {});
  await second.list(entry);
  assertEquals([second.sources, second.asked()], [["store"], 0]);
});
