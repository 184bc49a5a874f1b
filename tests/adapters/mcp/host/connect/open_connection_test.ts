import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { createClock } from "../../../../../adapters/http/transport/clock.ts";
import type { Ending } from "../../../../../adapters/mcp/host/connect/failure.ts";
import {
  OpenedConnection,
  type OpenedConnectionOptions,
} from "../../../../../adapters/mcp/host/connect/open_connection.ts";
import { HostError } from "../../../../../core/errors.ts";

interface Bench {
  readonly life: OpenedConnection;
  readonly server: McpServer;
  readonly lost: unknown[];
  readonly endings: Promise<void>[];
  readonly notes: string[];
}

async function begin(
  ended: () => Ending | null,
  before: (client: Client) => Promise<void> = async () => {},
): Promise<Bench> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: "v1", version: "1" });
  server.registerTool("echo", {}, () => ({ content: [] }));
  await server.connect(there as Parameters<typeof server.connect>[0]);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(here);
  await before(client);
  const transport = Object.assign(here, { exact: (text: string) => `exact ${text}` });
  const [lost, endings, notes]: [unknown[], Promise<void>[], string[]] = [[], [], []];
  const options: OpenedConnectionOptions = {
    number: 3,
    server: "notes",
    clock: createClock(),
    random: () => 0,
    onNote: (note) => notes.push(note),
    onToolsMissed: () => assert(false),
    onEnding: (ending) => endings.push(ending),
    onLost: (failure) => lost.push(failure),
  };
  const carrier = { transport, kind: "stdio", unset: [], resumptions: () => 7, ended } as const;
  return { life: new OpenedConnection({ client, carrier }, options), server, lost, endings, notes };
}

test("what the rest of the host gets", async () => {
  const { life, endings, lost } = await begin(() => null);
  const { open } = life;
  assertEquals([open.number, open.era, open.protocol, open.transport], [3, "legacy", "2025-11-25", "stdio"]);
  assertEquals([open.exact("1"), open.resumptions(), open.closed.aborted], ["exact 1", 7, false]);
  assertEquals(open.capabilities, { tools: { listChanged: true } });
  const reason = new HostError("CONNECTION_LOST", "Cannot go on");
  life.end(reason);
  await Promise.all(endings);
  assertEquals([open.closed.reason, lost.length], [reason, 0]);
});

test("a life that went away by itself is lost once, and says how", async () => {
  const { life, server, lost, endings } = await begin(() => ({
    reason: "ended",
    state: "it ended with status 9",
  }));
  await server.close();
  const message = 'Cannot use the server "notes": it ended with status 9';
  assertEquals(lost, [{ code: "SERVER_UNAVAILABLE", reason: "ended", message }]);
  const reason: unknown = life.open.closed.reason;
  assert(reason instanceof HostError);
  assertEquals([reason.code, reason.message, reason.server, endings.length], [
    "CONNECTION_LOST",
    message,
    "notes",
    1,
  ]);
});

test("one that is gone when it begins is lost at once", async () => {
  const { life, lost } = await begin(() => null, (client) => client.close());
  assertEquals([life.open.closed.aborted, lost.length], [true, 1]);
});

test("what goes wrong beside a request is noted once, without what the server wrote", async () => {
  const { life, notes } = await begin(() => null);
  life.open.client.onerror?.(Object.assign(new TypeError("secret"), { code: "EPIPE" }));
  life.open.client.onerror?.(new SyntaxError("secret"));
  life.open.client.onerror?.(new SyntaxError("another secret"));
  assertEquals(notes, [
    'The connection to the server "notes" reports EPIPE.',
    'The connection to the server "notes" reports SyntaxError.',
  ]);
});
