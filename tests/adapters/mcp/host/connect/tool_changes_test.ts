import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { followToolChanges } from "../../../../../adapters/mcp/host/connect/tool_changes.ts";
import type { ClockPort } from "../../../../../core/ports/clock.ts";

const limit = { timeout: 60_000 };

interface Peer {
  readonly client: Client;
  /** Ids of the subscriptions that were asked for. */
  readonly asked: unknown[];
  send(message: object): void;
}

/** A client of 2026-07-28 whose server answers subscriptions as `onListen` says. */
async function connected(onListen: (peer: Peer, id: unknown) => void, listChanged = true): Promise<Peer> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const peer: Peer = {
    client,
    asked: [],
    send: (message) => void there.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage),
  };
  there.onmessage = (message) => {
    if (!("method" in message) || !("id" in message)) return;
    if (message.method === "server/discover") {
      const capabilities = { tools: { listChanged } };
      const result = {
        supportedVersions: ["2026-07-28"],
        capabilities,
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
      };
      peer.send({ id: message.id, result });
    }
    if (message.method !== "subscriptions/listen") return;
    peer.asked.push(message.id);
    onListen(peer, message.id);
  };
  await there.start();
  await client.connect(here);
  return peer;
}

function acknowledge(peer: Peer, id: unknown): void {
  const _meta = { "io.modelcontextprotocol/subscriptionId": id };
  peer.send({
    method: "notifications/subscriptions/acknowledged",
    params: { _meta, notifications: { toolsListChanged: true } },
  });
}

/** A clock whose pauses are over at once, and noted. */
function quickClock(): { readonly clock: ClockPort; readonly pauses: number[] } {
  const pauses: number[] = [];
  let now = 0;
  const sleep = (seconds: number, signal?: AbortSignal): Promise<boolean> => {
    pauses.push(seconds);
    now += seconds;
    return Promise.resolve(signal?.aborted !== true);
  };
  return { clock: { now: () => now, sleep }, pauses };
}

test("a subscription that is cut is taken up again, and what could be missed is told", limit, async () => {
  const closed = new AbortController();
  const peer = await connected((peer, id) => {
    acknowledge(peer, id);
    // the last one stays
    if (peer.asked.length < 3) peer.send({ id, result: { resultType: "complete" } });
  });
  const { clock, pauses } = quickClock();
  let missed = 0;
  const following = followToolChanges(peer.client, {
    clock,
    closed: closed.signal,
    random: () => 1,
    onMissed: () => {
      missed += 1;
      if (missed === 2) closed.abort(new Error("over"));
    },
  });
  await following;
  assertEquals([peer.asked.length, missed], [3, 2]);
  assertEquals(pauses.slice(0, 2), [1, 2]);
  await peer.client.close();
});

test(
  "a server that refuses is not asked again, and one that tells of nothing is not asked",
  limit,
  async () => {
    const refusing = await connected((peer, id) =>
      peer.send({ id, error: { code: -32_601, message: "no" } })
    );
    const silent = await connected(() => assert(false), false);
    for (const [{ client, asked }, times] of [[refusing, 1], [silent, 0]] as const) {
      const { clock } = quickClock();
      const closed = new AbortController().signal;
      await followToolChanges(client, { clock, closed, random: () => 1, onMissed: () => assert(false) });
      assertEquals(asked.length, times);
      await client.close();
    }
  },
);

test("the end of the connection ends it", limit, async () => {
  const closed = new AbortController();
  const peer = await connected((peer, id) => {
    acknowledge(peer, id);
    setTimeout(() => closed.abort(new Error("gone")), 10);
  });
  const { clock } = quickClock();
  await followToolChanges(peer.client, { clock, closed: closed.signal, random: () => 1, onMissed: () => {} });
  assertEquals(peer.asked.length, 1);
  await peer.client.close();
});
