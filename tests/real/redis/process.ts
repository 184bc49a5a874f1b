/**
 * One of several processes that share their leases: a host over the test bed, its grants in a store of secrets that is
 * reached over HTTP, its leases in Redis. It reads one order a line, and answers each with one line.
 *
 * @module
 */

import { MemoryGrantSource } from "../../../adapters/http/grants/memory_grant_source.ts";
import { SharedGrantSource } from "../../../adapters/http/grants/shared_grant_source.ts";
import type { LeaseStoreEvent } from "../../../adapters/http/leases/guarded_store.ts";
import { openSharedLeases } from "../../../adapters/http/leases/shared_leases.ts";
import { connectRedis, RedisLeaseStore } from "../../../adapters/redis/mod.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { EnterpriseBed } from "../../fixtures/enterprise/mod.ts";
import { configurationOf, type Host, startHost } from "../enterprise/tokens/host.ts";
import { answerOf } from "./server.ts";

/** What a process is started with: the first line. */
export interface ProcessSetup {
  /** What of a bed the configuration is made of. */
  readonly bed: {
    readonly mcp: Pick<EnterpriseBed["mcp"], "url" | "secondUrl">;
    readonly as: Pick<EnterpriseBed["as"], "issuer" | "client">;
    readonly idp: Pick<EnterpriseBed["idp"], "issuer" | "client">;
  };
  /** Members of each server's table that differ. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** Where the secrets are. */
  readonly secrets: string;
  /** Socket of Redis, the operator's key in base64, and the time limit; `null`: nothing is shared. */
  readonly redis: { readonly socket: string; readonly key: string; readonly limitMs?: number } | null;
}

/** An order. */
export type Order =
  /** Makes so many calls at once, each in a thread of its own, with the clock so many seconds ahead. */
  | { readonly kind: "call"; readonly count: number; readonly shift: number }
  /** Waits until nothing is under way. */
  | { readonly kind: "idle" }
  /** Signs out. */
  | { readonly kind: "sign-out" };

/** What came of an order. */
export interface Answer {
  /** The different tokens that calls were made with. */
  readonly tokens: readonly string[];
  /** Codes of the calls that failed. */
  readonly failed: readonly string[];
  /** Milliseconds that it took. */
  readonly ms: number;
  /** What was told of the store since the start. */
  readonly events: readonly LeaseStoreEvent["kind"][];
}

async function start(
  { bed, server = {}, secrets, redis }: ProcessSetup,
  events: LeaseStoreEvent[],
): Promise<Host> {
  const { HttpSecretStore } = await import("./secret_site.ts");
  const asBed = bed as unknown as EnterpriseBed;
  const [provider] = configurationOf(asBed, { server }).providers as readonly [EnterpriseProvider];
  const store = new HttpSecretStore(secrets);
  const source = secrets === "" ? new MemoryGrantSource() : new SharedGrantSource({ store, provider });
  if (redis === null) return await startHost(asBed, { source, server });
  const client = await connectRedis({ path: redis.socket });
  await answerOf(client, ["PING"]); // where requests are counted, none may be made because the machine is busy
  const sharedLeases = await openSharedLeases({
    store: new RedisLeaseStore({ client }),
    keys: [redis.key],
    limitMs: redis.limitMs,
    onEvent: (event) => void events.push(event),
  });
  return await startHost(asBed, { source, server, sharedLeases });
}

/** The token that the server saw. */
async function call(
  host: Host,
  { url, thread }: { readonly url: string; readonly thread: string },
): Promise<string> {
  let token = "";
  const send = host.tokens.authenticatedFetch({ thread, server: "notes" });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await send(url, { method: "POST", body, headers });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  token = await host.tokens.token({ thread, server: "notes" });
  return token;
}

async function perform(host: Host, { url, order }: { readonly url: string; readonly order: Order }) {
  switch (order.kind) {
    case "call": {
      host.clock.shift = order.shift;
      const calls = Array.from(
        { length: order.count },
        (_, index) => call(host, { url, thread: `thread-${index}` }),
      );
      const settled = await Promise.allSettled(calls);
      const tokens = settled.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
      const failed = settled.flatMap((one) => one.status === "rejected" ? [codeOf(one.reason)] : []);
      return { tokens: [...new Set(tokens)], failed };
    }
    case "idle":
      await host.tokens.idle();
      return { tokens: [], failed: [] };
    case "sign-out":
      await host.tokens.signOut("default");
      await host.tokens.idle();
      return { tokens: [], failed: [] };
  }
}

function codeOf(error: unknown): string {
  return error instanceof EnterpriseError ? error.code : String(error);
}

if (import.meta.main) {
  const events: LeaseStoreEvent[] = [];
  let setup: ProcessSetup | null = null;
  let host: Host | null = null;
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
  let rest = "";
  for await (const chunk of lines) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      if (setup === null || host === null) {
        setup = JSON.parse(line) as ProcessSetup;
        host = await start(setup, events);
        console.log("{}");
        continue;
      }
      const began = performance.now();
      const done = await perform(host, { url: setup.bed.mcp.url, order: JSON.parse(line) as Order });
      const ms = performance.now() - began;
      console.log(JSON.stringify({ ...done, ms, events: events.map(({ kind }) => kind) } satisfies Answer));
    }
  }
}
