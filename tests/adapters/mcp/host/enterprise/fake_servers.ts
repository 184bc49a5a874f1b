/**
 * The enterprise servers without a network: requests for tokens that answer as a test says, grants in memory, and an
 * MCP server in this process.
 *
 * @module
 */

import * as sdk from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createClock } from "../../../../../adapters/http/transport/clock.ts";
import { createDigest } from "../../../../../adapters/http/transport/digest.ts";
import { MemoryGrantSource } from "../../../../../adapters/http/grants/memory_grant_source.ts";
import { createEdgeRuntime } from "../../../../../adapters/http/transport/sending.ts";
import type { EnterpriseServersOptions } from "../../../../../adapters/mcp/host/enterprise/options.ts";
import type { EnterpriseServersEvent } from "../../../../../adapters/mcp/host/enterprise/event.ts";
import type { EnterpriseConfiguration } from "../../../../../core/enterprise/config/configuration.ts";
import type { AccountOwner } from "../../../../../core/enterprise/grant/key.ts";
import { configurationOf, createFakeLegs, type FakeLegs, OWNER, store } from "../../../http/fake_legs.ts";

/** What fake enterprise servers are made of. */
export interface FakeDeskParts {
  readonly options: EnterpriseServersOptions;
  readonly legs: FakeLegs;
  readonly source: MemoryGrantSource;
  readonly server: FakeServer;
  readonly events: EnterpriseServersEvent[];
}

/** An MCP server in this process. */
export interface FakeServer {
  readonly fetch: typeof globalThis.fetch;
  /** What reached it, in order. */
  readonly seen: Request[];
  /** Answers the next requests before the server does; `null`: it does not. */
  before: ((request: Request) => Response | Promise<Response> | null) | null;
}

/** The account that is signed in. */
export const ALICE: AccountOwner = OWNER;

/** The only configuration of it. */
export const CONFIGURATION: EnterpriseConfiguration = configurationOf();

/** Makes a server with one tool. */
export function createFakeServer(): FakeServer {
  const handler = createMcpHandler(() => {
    const made = new McpServer({ name: "notes", version: "1" });
    made.registerTool(
      "echo",
      { description: "Echo" },
      () => ({ content: [{ type: "text", text: "hello" }] }),
    );
    return made;
  }, { keepAliveMs: 0 });
  const server: FakeServer = {
    seen: [],
    before: null,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      server.seen.push(request.clone());
      return await (server.before?.(request) ?? handler.fetch(request));
    },
  };
  return server;
}

/** Makes the parts of the enterprise servers whose account is signed in. */
export async function fakeDeskParts(changes: Partial<EnterpriseServersOptions> = {}): Promise<FakeDeskParts> {
  const legs = createFakeLegs();
  const source = new MemoryGrantSource();
  await store(source);
  const server = createFakeServer();
  const events: EnterpriseServersEvent[] = [];
  const clock = { now: (): number => 1_000, sleep: createClock().sleep };
  const options: EnterpriseServersOptions = {
    grants: () => source,
    http: { send: () => Promise.reject(new Error("There is no network")) },
    readSecret: () => Promise.resolve(""),
    legs,
    runtime: createEdgeRuntime(),
    clock,
    digest: createDigest(),
    sdk,
    clientInfo: { name: "test", version: "1" },
    random: () => 0.5,
    watchCatalog: false,
    fetch: server.fetch,
    onEvent: (event) => void events.push(event),
    ...changes,
  };
  return { options, legs, source, server, events };
}
