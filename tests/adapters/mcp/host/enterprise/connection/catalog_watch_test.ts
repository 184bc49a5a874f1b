import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { watchCatalog } from "../../../../../../adapters/mcp/host/enterprise/connection/catalog_watch.ts";

type Watched = Parameters<typeof watchCatalog>[0];

/** A client that says what a test wants, and how its subscriptions end. */
function clientOf(era: "modern" | "legacy", ends: readonly ("local" | "graceful" | "remote" | "refused")[]) {
  const handlers: string[] = [];
  const left = [...ends];
  let listened = 0;
  const client = {
    getServerCapabilities: () => ({ tools: { listChanged: true } }),
    getProtocolEra: () => era,
    setNotificationHandler: (method: string) => void handlers.push(method),
    listen: () => {
      listened += 1;
      const end = left.shift() ?? "refused";
      if (end === "refused") return Promise.reject(new Error("no"));
      return Promise.resolve({
        closed: Promise.resolve(end),
        close: () => Promise.resolve(),
        honoredFilter: {},
      });
    },
  };
  return { client: client as unknown as Watched, handlers, listened: () => listened };
}

function watch(client: Watched, signal: AbortSignal = new AbortController().signal) {
  const waits: number[] = [];
  let changed = 0;
  const done = watchCatalog(client, {
    onChanged: () => void (changed += 1),
    clock: {
      now: () => 0,
      sleep: (seconds) => {
        waits.push(seconds);
        return Promise.resolve(true);
      },
    },
    signal,
  });
  return { done, waits, changed: () => changed };
}

test("a server of before tells by itself", async () => {
  const { client, handlers, listened } = clientOf("legacy", []);
  await watch(client).done;
  assertEquals([handlers, listened()], [["notifications/tools/list_changed"], 0]);
});

test("a server that does not tell is not asked", async () => {
  const { client, handlers } = clientOf("modern", []);
  client.getServerCapabilities = () => ({ tools: {} });
  await watch(client).done;
  assertEquals(handlers, []);
});

test("a subscription that ends is made again, what may have been missed is told, and failures end it", async () => {
  const { client, listened } = clientOf("modern", ["graceful", "remote", "refused", "graceful"]);
  const { done, waits, changed } = watch(client);
  await done;
  assertEquals([listened(), changed()], [9, 2]);
  assertEquals(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("it ends with the connection", async () => {
  const { client, listened } = clientOf("modern", ["local"]);
  await watch(client).done;
  assertEquals(listened(), 1);
  const ended = clientOf("modern", []);
  await watch(ended.client, AbortSignal.abort()).done;
  assertEquals(ended.listened(), 0);
});
