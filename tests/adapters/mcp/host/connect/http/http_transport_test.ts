import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime } from "../../../../../../adapters/http/transport/sending.ts";
import { HttpHostTransport } from "../../../../../../adapters/mcp/host/connect/http/http_transport.ts";
import { StreamEndedError } from "../../../../../../adapters/mcp/host/connect/http/waiting_requests.ts";
import { type Answer, reply, type Site, startSite } from "../http_site.ts";

const OURS = { server: "notes", runtime: createEdgeRuntime() };
const limit = { timeout: 60_000 };
const EVENTS = { "content-type": "text/event-stream" };
const REQUEST: JSONRPCMessage = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo" } };
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';

interface Bench {
  readonly site: Site;
  readonly transport: HttpHostTransport;
  readonly messages: JSONRPCMessage[];
}

async function withTransport(answer: Answer, work: (bench: Bench) => Promise<void>): Promise<void> {
  const site = await startSite(answer);
  const transport = new HttpHostTransport(new URL(`${site.origin}/mcp`), {
    ...OURS,
    headers: { "x-key": "1" },
    closeMs: 1_000,
  });
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void messages.push(message);
  await transport.start();
  try {
    await work({ site, transport, messages });
  } finally {
    await transport.close();
    await site.close();
  }
}

test("a request is over when it is answered, in a document or in a stream", limit, async () => {
  for (const [type, body] of [["application/json", RESULT], ["text/event-stream", `data: ${RESULT}\n\n`]]) {
    const answer: Answer = (_request, response) =>
      reply(response, { headers: { "content-type": type! }, body: body! });
    await withTransport(answer, async ({ site, transport, messages }) => {
      await transport.send(REQUEST);
      assertEquals(messages, [JSON.parse(RESULT)]);
      assertEquals([site.seen[0]?.headers["x-key"], transport.resumptions], ["1", 0]);
    });
  }
});

test("a stream that ends without an answer ends the request", limit, async () => {
  const progress =
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
  for (const body of ["", `data: ${progress}\n\n`]) {
    await withTransport(
      (_request, response) => reply(response, { headers: EVENTS, body }),
      async ({ transport }) => {
        let ended = 0;
        await assertRejects(
          () => transport.send(REQUEST, { onRequestStreamEnd: () => ended++ }),
          StreamEndedError,
        );
        assertEquals(ended, 1);
      },
    );
  }
});

test("a stream that is cut and taken up again is counted, and answers the request", limit, async () => {
  const answer: Answer = ({ method, headers }, response) => {
    if (method === "POST") return reply(response, { headers: EVENTS, body: "id: one\nretry: 10\ndata:\n\n" });
    const known = headers["last-event-id"] === "one";
    reply(response, { headers: EVENTS, body: known ? `id: two\ndata: ${RESULT}\n\n` : "" });
  };
  await withTransport(answer, async ({ transport, messages }) => {
    await transport.send(REQUEST);
    assertEquals([messages.length, transport.resumptions], [1, 1]);
  });
});

test("exact texts go out as they are", limit, async () => {
  const answer: Answer = (_request, response) =>
    reply(response, { headers: { "content-type": "application/json" }, body: RESULT });
  await withTransport(answer, async ({ site, transport }) => {
    await transport.send({
      jsonrpc: "2.0",
      id: 1,
      method: "m",
      params: { state: transport.exact("9007199254740993") },
    });
    assertEquals(
      site.seen[0]?.body,
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"state":9007199254740993}}',
    );
  });
});

test("a cancelled request waits for nothing, and close ends all of them", limit, async () => {
  const site = await startSite((_request, response) => {
    response.writeHead(200, EVENTS);
    response.flushHeaders();
  });
  let begun: () => void = () => {};
  const streams = new Promise<void>((resolve) => begun = resolve);
  let [answers, closed] = [0, 0];
  const transport = new HttpHostTransport(new URL(site.origin), {
    ...OURS,
    headers: {},
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (++answers === 2) begun();
      return response;
    },
  });
  transport.onclose = () => closed++;
  await transport.start();
  const cancelled = new AbortController();
  const first = transport.send(REQUEST, { requestSignal: cancelled.signal });
  const second = transport.send({ ...REQUEST, id: 2 } as JSONRPCMessage);
  await streams;
  // the transport sees the answers a moment later
  await new Promise((resolve) => setTimeout(resolve, 0));
  cancelled.abort();
  await first;
  await Promise.all([transport.close(), transport.close()]);
  await second;
  assertEquals(closed, 1);
  await site.close();
});

test(
  "the session is ended by close, whatever the server says to that",
  limit,
  async () => {
    const headers = { "content-type": "application/json", "mcp-session-id": "s1" };
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} } as JSONRPCMessage;
    const answer: Answer = ({ method }, response) =>
      method === "DELETE" ? reply(response, { status: 405 }) : reply(response, { headers, body: RESULT });
    const seen: string[] = [];
    await withTransport(answer, async ({ site, transport }) => {
      const version = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "a", version: "1" },
      };
      await transport.send({ ...initialize, params: version } as JSONRPCMessage);
      assertEquals([transport.sessionId, transport.sessionLost], ["s1", false]);
      await transport.close();
      seen.push(...site.seen.map(({ method }) => method));
    });
    assertEquals(seen, ["POST", "DELETE"]);
  },
);
