import { InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { ExactTexts } from "../../../../adapters/mcp/wire/exact_text.ts";
import type {
  ConnectionState,
  OpenConnection,
  ServerConnection,
} from "../../../../adapters/mcp/host/connect/server_connection.ts";
import { HostClient } from "../../../../adapters/mcp/host/client/host_client.ts";
import type { HttpEntry, StdioEntry } from "../../../../core/configuration/entry.ts";
import { acceptsSandboxState } from "../../../../core/sandbox/capability.ts";

/** A server in this process. */
export interface InProcess {
  /** What the client sent, as it was on the wire. */
  readonly sent: string[];
  /** The header fields that went with it over HTTP. */
  readonly headers: Headers[];
  /** How often a connection was made. */
  readonly opened: () => number;
  /** Makes the next openings wait for this, and fail when it rejects. */
  holding: Promise<void>;
  /** Counts up as if a stream had been resumed. */
  resumptions: number;
  /** Prepares clients. */
  prepare: (client: HostClient) => void;
  /** Ends the connection that is open. */
  drop(): Promise<void>;
  /** The connection, as a host sees it. */
  connect(entry: StdioEntry | HttpEntry): ServerConnection;
}

/** How a server is reached. */
export interface InProcessOptions {
  /** What it says about itself. */
  readonly capabilities?: object;
  /** The handshake of 2025 over a pipe; absent: 2026-07-28 over HTTP. */
  readonly legacy?: boolean;
  /** What it is taken for. */
  readonly transport?: "stdio" | "http";
}

/** Starts a server in this process; `register` gives it its tools. */
export function serveInProcess(
  register: (server: McpServer) => void,
  options: InProcessOptions = {},
): InProcess {
  const create = (): McpServer => {
    const server = new McpServer({ name: "in-process", version: "1" }, {
      capabilities: { tools: {}, ...options.capabilities },
    });
    register(server);
    return server;
  };
  const handler = createMcpHandler(create, { keepAliveMs: 0 });
  let number = 0;
  let current: HostClient | undefined;
  const self: InProcess = {
    sent: [],
    headers: [],
    opened: () => number,
    holding: Promise.resolve(),
    resumptions: 0,
    prepare: () => {},
    drop: async () => void await current?.close(),
    connect: (entry) => {
      let open: OpenConnection | undefined;
      let state: ConnectionState = { kind: "idle" };
      return {
        entry,
        state: () => state,
        stderrTail: () => "",
        onChange: () => () => {},
        onCatalogChanged: () => () => {},
        open: async (signal) => {
          signal?.throwIfAborted();
          await Promise.race([self.holding, aborted(signal)]);
          if (open !== undefined && !open.closed.aborted) return open;
          open = await start();
          const { protocol, era, capabilities } = open;
          const acceptsSandbox = acceptsSandboxState(capabilities);
          state = { kind: "ready", since: 0, protocol, era, acceptsSandbox };
          return open;
        },
        close: async () => {
          state = { kind: "closed" };
          await open?.client.close();
        },
      };
    },
  };
  return self;

  async function start(): Promise<OpenConnection> {
    const texts = new ExactTexts();
    const client = new HostClient({ name: "test", version: "1" }, {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: options.legacy ? "legacy" : "auto" },
    });
    self.prepare(client);
    const gone = new AbortController();
    current = client;
    await client.connect(options.legacy ? await pipe(texts) : http(texts));
    client.onclose = () => gone.abort();
    number += 1;
    return {
      number,
      client,
      era: options.legacy ? "legacy" : "modern",
      protocol: client.getNegotiatedProtocolVersion() ?? "",
      capabilities: client.getServerCapabilities() ?? {},
      transport: options.transport ?? "http",
      closed: gone.signal,
      exact: (text) => texts.placeholder(text),
      resumptions: () => self.resumptions,
    };
  }

  function http(texts: ExactTexts): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL("http://127.0.0.1:1/mcp"), {
      fetch: async (input, init) => {
        const body = typeof init?.body === "string" ? texts.splice(init.body) : undefined;
        if (body !== undefined) self.sent.push(body);
        self.headers.push(new Headers(init?.headers));
        return await handler.fetch(new Request(input, body === undefined ? init : { ...init, body }));
      },
    });
  }

  async function pipe(texts: ExactTexts): Promise<InMemoryTransport> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const send = ours.send.bind(ours);
    ours.send = async (message, sendOptions) => {
      const text = texts.splice(JSON.stringify(message));
      self.sent.push(text);
      await send(JSON.parse(text), sendOptions);
    };
    const answer = theirs.send.bind(theirs);
    theirs.send = (message, sendOptions) => answer(JSON.parse(JSON.stringify(message)), sendOptions);
    await create().connect(theirs as never);
    return ours;
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The last request of `method` that was sent, whole. */
export function lastSent(server: InProcess, method: string): Record<string, unknown> {
  const found = server.sent.map((text) => JSON.parse(text) as Record<string, unknown>)
    .filter((message) => message["method"] === method);
  const last = found.at(-1);
  if (last === undefined) throw new Error(`No ${method} was sent`);
  return last;
}
