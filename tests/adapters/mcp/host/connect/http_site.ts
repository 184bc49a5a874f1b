/**
 * A site on loopback, for servers of either line of the SDK and for ones that misbehave.
 *
 * @module
 */

import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came, with its body. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A site. */
export interface Site {
  /** Where it is, without a slash at the end. */
  readonly origin: string;
  /** What came, in order. */
  readonly seen: readonly Seen[];
  /** Ends it and every connection to it. */
  close(): Promise<void>;
}

/** Answers one request. */
export type Answer = (request: Seen, response: ServerResponse, raw: IncomingMessage) => Promise<void> | void;

/** Starts a site on 127.0.0.1. */
export async function startSite(answer: Answer): Promise<Site> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = new TextDecoder().decode(concat(chunks));
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      await answer({ method, url, headers, body }, response, request);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts one for `work`, and ends it. */
export async function withSite(answer: Answer, work: (site: Site) => Promise<void>): Promise<void> {
  const site = await startSite(answer);
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Answers with a status and a body. */
export function reply(
  response: ServerResponse,
  { status = 200, headers = {}, body = "" }: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** A server of SDK v2, of both eras, with the tool `echo`. */
export function modernAnswer(options: { readonly legacy?: "reject" } = {}): Answer {
  return modernServer(options).answer;
}

/** The same, which can be told that its tools have changed. */
export function modernServer(options: { readonly legacy?: "reject" } = {}): {
  readonly answer: Answer;
  toolsChanged(): void;
} {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "v2", version: "1" });
    server.registerTool(
      "echo",
      { description: "Echo" },
      () => ({ content: [{ type: "text", text: "hello" }] }),
    );
    return server;
  }, { keepAliveMs: 0, ...options });
  const answer: Answer = async ({ method, url, headers, body }, response) => {
    const fields = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : []
    );
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${url}`, {
        method,
        headers: fields,
        ...(method === "POST" ? { body } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  };
  return { answer, toolsChanged: () => handler.notify.toolsChanged() };
}

/** A server of SDK v1 with sessions and the tool `echo`. */
export interface SessionServer {
  readonly answer: Answer;
  /** Forgets every session, as a server does that is started again. */
  forget(): void;
  /** Tells every session that its tools have changed. */
  toolsChanged(): void;
  /** Sessions that were ended by their client. */
  readonly ended: readonly string[];
}

/** Creates it. */
export function sessionServer(): SessionServer {
  const sessions = new Map<
    string,
    { readonly transport: StreamableHTTPServerTransport; readonly server: ServerV1 }
  >();
  const ended: string[] = [];
  const create = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new ServerV1({ name: "v1", version: "1" }, {
      capabilities: { tools: { listChanged: true } },
    });
    server.registerTool(
      "echo",
      { description: "Echo" },
      () => ({ content: [{ type: "text", text: "hello" }] }),
    );
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id: string) => void ended.push(id),
    });
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  };
  return {
    answer: async ({ headers, body }, response, raw) => {
      const id = headers["mcp-session-id"];
      if (typeof id === "string" && !sessions.has(id)) return reply(response, { status: 404 });
      const parsed: unknown = body === "" ? undefined : JSON.parse(body);
      if (typeof id !== "string" && !body.includes('"initialize"')) return reply(response, { status: 400 });
      const transport = typeof id === "string" ? sessions.get(id)!.transport : await create();
      await transport.handleRequest(raw, response, parsed);
    },
    forget: () => sessions.clear(),
    toolsChanged: () => {
      for (const { server } of sessions.values()) server.sendToolListChanged();
    },
    ended,
  };
}
