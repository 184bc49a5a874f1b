import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createEdgeRuntime } from "../../../../../../adapters/http/transport/sending.ts";
import { HttpHostTransport } from "../../../../../../adapters/mcp/host/connect/http/http_transport.ts";
import { REQUEST_MARK } from "../../../../../../adapters/mcp/host/connect/http/server_fetch.ts";
import { StreamEndedError } from "../../../../../../adapters/mcp/host/connect/http/waiting_requests.ts";
import { type Answer, reply, type Site, startSite } from "../http_site.ts";

const limit = { timeout: 60_000 };
const EVENTS = { "content-type": "text/event-stream" };
const JSON_TYPE = { "content-type": "application/json" };

function call(id: number): JSONRPCMessage {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "echo" } };
}

function cancel(requestId: number): JSONRPCMessage {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

function result(id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } });
}

async function withTransport(
  answer: Answer,
  work: (transport: HttpHostTransport, site: Site) => Promise<void>,
  send: typeof fetch = fetch,
): Promise<void> {
  const site = await startSite(answer);
  const transport = new HttpHostTransport(new URL(`${site.origin}/mcp`), {
    server: "notes",
    runtime: createEdgeRuntime(),
    headers: {},
    fetch: send,
    closeMs: 1_000,
  });
  await transport.start();
  try {
    await work(transport, site);
  } finally {
    await transport.close();
    await site.close();
  }
}

test(
  "a request is over when it is answered, in a document of one or several, or in a stream",
  limit,
  async () => {
    const answers = [
      [JSON_TYPE, result(1)],
      [JSON_TYPE, `[${result(7)},${result(1)}]`],
      [JSON_TYPE, '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'],
      [EVENTS, `data: ${result(1)}\n\n`],
    ] as const;
    for (const [headers, body] of answers) {
      await withTransport(
        (_request, response) => reply(response, { headers, body }),
        async (transport, site) => {
          await transport.send(call(1));
          assertEquals(site.seen[0]?.headers[REQUEST_MARK], undefined);
        },
      );
    }
  },
);

test("a request whose answer is another one's, or none, is over at once", limit, async () => {
  const answers = [
    { status: 202 },
    { status: 202, headers: EVENTS, body: "" },
    { headers: JSON_TYPE, body: result(7) },
    { headers: JSON_TYPE, body: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' },
    { headers: JSON_TYPE, body: "[]" },
    { headers: EVENTS, body: `data: ${result(7)}\n\n` },
  ];
  for (const answer of answers) {
    await withTransport((_request, response) => reply(response, answer), async (transport) => {
      await assertRejects(() => transport.send(call(1)), StreamEndedError);
    });
  }
});

test("a notification that is answered 202 is sent", limit, async () => {
  await withTransport((_request, response) => reply(response, { status: 202 }), async (transport, site) => {
    await transport.send({ jsonrpc: "2.0", method: "notifications/progress", params: {} } as JSONRPCMessage);
    await transport.send(cancel(1));
    assertEquals(site.seen.length, 2);
  });
});

test(
  "a cancelled request without a signal is over, and its broken stream is not taken up again",
  limit,
  async () => {
    // the stream of the cancelled request and of another one break again and again
    const answer: Answer = ({ method, headers, body }, response) => {
      if (body.includes("notifications/")) return reply(response, { status: 202 });
      const of = method === "POST" ? /"id":(\d+)/.exec(body)?.[1] : headers["last-event-id"];
      reply(response, { headers: EVENTS, body: `id: ${of}\nretry: 10\ndata:\n\n` });
    };
    await withTransport(answer, async (transport, site) => {
      const resumed = (id: string): number =>
        site.seen.filter(({ headers }) => headers["last-event-id"] === id).length;
      const until = async (condition: () => boolean): Promise<void> => {
        while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      const first = transport.send(call(1));
      const second = transport.send(call(2));
      await until(() => resumed("1") > 0 && resumed("2") > 0);
      await transport.send(cancel(1));
      await first.catch(() => undefined); // in the midst of a request it is that which ends
      // one may be on its way
      const [of1, of2] = [resumed("1"), resumed("2")];
      await until(() => resumed("2") >= of2 + 20);
      assert(resumed("1") <= of1 + 1, `${resumed("1")} after ${of1}`);
      await transport.close();
      await second;
    });
  },
);

test("a server that does not take the cancellation is not waited for", limit, async () => {
  const hanging: Answer = ({ body }, response) => {
    if (body.includes("notifications/cancelled")) return;
    response.writeHead(200, EVENTS);
    response.flushHeaders();
  };
  let begun: () => void = () => {};
  const answered = new Promise<void>((resolve) => begun = resolve);
  await withTransport(hanging, async (transport) => {
    const request = transport.send(call(1));
    await answered;
    const cancelling = transport.send(cancel(1));
    await request.catch(() => undefined);
    await transport.close();
    await assertRejects(() => cancelling);
  }, async (...request) => {
    const response = await fetch(...request);
    begun();
    return response;
  });
});

test("a cancellation of something else ends nothing", limit, async () => {
  let answerNow: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => answerNow = resolve);
  const answer: Answer = async ({ body }, response) => {
    if (body.includes("notifications/cancelled")) return reply(response, { status: 202 });
    response.writeHead(200, EVENTS);
    response.flushHeaders();
    await cancelled;
    response.end(`data: ${result(1)}\n\n`);
  };
  await withTransport(answer, async (transport) => {
    const got: JSONRPCMessage[] = [];
    transport.onmessage = (message) => void got.push(message);
    const request = transport.send(call(1));
    await transport.send(cancel(2));
    answerNow();
    await request;
    assertEquals(got.length, 1);
  });
});
