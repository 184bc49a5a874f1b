import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createMemoryCatalogStore } from "../../../../adapters/catalog/memory_store.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { createHost } from "../../../../adapters/mcp/host/create_host.ts";
import type { HostEvent } from "../../../../adapters/mcp/host/events/host_events.ts";
import type { Host } from "../../../../adapters/mcp/host/host.ts";
import type { CatalogStore } from "../../../../core/catalog/store.ts";
import type { HostError } from "../../../../core/errors.ts";
import { RUNTIMES } from "../../../contracts/runtimes.ts";

const limit = { timeout: 60_000 };

/** A site of revision 2026-07-28: what it was sent, and what it says. */
interface Site {
  /** Methods, with the header field that the tool asks for. */
  readonly seen: string[];
  /** Name of that field. */
  field: string;
  /** Schema that the tool promises. */
  promise: object;
  /** What the tool answers. */
  answer: unknown;
}

/** A host over a site and a store of catalogs. */
async function hostOver(site: Site, catalog: CatalogStore): Promise<readonly [Host, HostEvent[]]> {
  const { processes, files } = RUNTIMES[0]!;
  const values = { mcp_servers: { s: { url: "http://127.0.0.1:1/mcp" } } };
  const layers = [{ kind: "user", source: "config.toml", codexFile: true, values }] as const;
  const host = await createHost({
    processes,
    files,
    catalog,
    clock: createClock(),
    digest: createDigest(),
    runtime: createEdgeRuntime(),
    http: { send: () => Promise.reject(new Error("nobody asks")) },
    secrets: { grants: () => new MemoryGrantSource(), secret: () => Promise.resolve(null) },
    environment: {},
    platform: "linux",
    directory: "/",
    configuration: {
      load: () => Promise.resolve({ kind: "loaded", layers, texts: new Map(), remarks: [], workspace: null }),
    },
    fetch: (input, init) => answerOf(site, new Request(input, init)),
  });
  const events: HostEvent[] = [];
  host.events.subscribe((event) => events.push(event));
  return [host, events];
}

async function answerOf(site: Site, request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const { id, method } = await request.json();
  const value = request.headers.get(`mcp-param-${site.field.toLowerCase()}`);
  site.seen.push(`${method} ${value}`);
  const kept = { resultType: "complete", ttlMs: 300_000, cacheScope: "public" };
  const error = { code: -32020, message: "a header field is missing" };
  if (method === "tools/call" && value === null) {
    return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
  }
  const properties = { region: { type: "string", "x-mcp-header": site.field } };
  const tool = { name: "t", inputSchema: { type: "object", properties }, outputSchema: site.promise };
  const result = method === "server/discover"
    ? {
      ...kept,
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    }
    : method === "tools/list"
    ? { ...kept, tools: [tool] }
    : { resultType: "complete", content: [], structuredContent: site.answer };
  return id === undefined
    ? new Response(null, { status: 202 })
    : Response.json({ jsonrpc: "2.0", id, result });
}

const PROMISE = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const siteOf = (changes: Partial<Site> = {}): Site => ({
  seen: [],
  field: "Region",
  promise: PROMISE,
  answer: { n: 1 },
  ...changes,
});

test(
  "a start later a call has the header fields and the promise of what was kept, and asks for no list",
  limit,
  async () => {
    const site = siteOf();
    const store = createMemoryCatalogStore();
    const [first] = await hostOver(site, store);
    await first.openThread().tools("s");
    await first.close();
    site.seen.length = 0;
    const [second] = await hostOver(site, store);
    const thread = second.openThread();
    assertEquals((await thread.callTool("s", "t", { region: "eu" })).structuredContent, { n: 1 });
    assertEquals(site.seen, ["server/discover null", "tools/call eu"]);
    site.answer = { n: "no number" };
    const code = await thread.callTool("s", "t", { region: "eu" }).result.catch(({ code }: HostError) =>
      code
    );
    assertEquals(code, "RESULT_INVALID");
    await second.close();
  },
);

test("what was kept and does not hold is asked for anew, and the call is repeated once", limit, async () => {
  const site = siteOf();
  const store = createMemoryCatalogStore();
  const [first] = await hostOver(site, store);
  await first.openThread().tools("s");
  await first.close();
  site.seen.length = 0;
  site.field = "Zone";
  const [second] = await hostOver(site, store);
  const thread = second.openThread();
  assertEquals((await thread.callTool("s", "t", { region: "eu" })).structuredContent, { n: 1 });
  assertEquals(site.seen, ["server/discover null", "tools/call null", "tools/list null", "tools/call eu"]);
  await thread.callTool("s", "t", { region: "us" });
  assertEquals(site.seen.at(-1), "tools/call us");
  await second.close();
});

test("an answer that is not checked is delivered, and said once", limit, async () => {
  const site = siteOf({
    promise: { ...PROMISE, properties: { n: { pattern: "(?=never)" } } },
    answer: { n: "x" },
  });
  const [host, events] = await hostOver(site, createMemoryCatalogStore());
  const thread = host.openThread();
  await thread.tools("s");
  for (let turn = 0; turn < 2; turn += 1) {
    assertEquals((await thread.callTool("s", "t", { region: "eu" })).structuredContent, { n: "x" });
  }
  const logged = events.filter(({ kind }) => kind === "log");
  assertEquals(logged.map((event) => "level" in event && [event.level, event.message.slice(0, 30)]), [
    ["warning", 'Answers of "t" at "s" are deli'],
  ]);
  await host.close();
});
