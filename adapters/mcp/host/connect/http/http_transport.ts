/**
 * The host's end of a streamable HTTP connection, as a transport of the MCP SDK: the SDK's own, with exact texts, a
 * bound on what is read (`server_fetch.ts`), and an end to each request (`waiting_requests.ts`).
 *
 * MCP 2025-11-25 and 2026-07-28, "Transports", streamable HTTP.
 *
 * @module
 */

import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import type { SendingRuntime } from "../../../../http/transport/sending.ts";
import { within } from "../../../../sandbox/end_group.ts";
import { ExactTexts } from "../../../wire/exact_text.ts";
import { createServerFetch } from "./server_fetch.ts";
import { WaitingRequests } from "./waiting_requests.ts";

/** What the connection is made with. */
export interface HttpHostOptions {
  /** Name of the server. */
  readonly server: string;
  /** How the runtime sends. */
  readonly runtime: SendingRuntime;
  /** Header fields of each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests; absent: the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
  /** Most bytes of one message from the server; absent: 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Milliseconds that the server gets to hear of the end of its session; absent: 2,000. */
  readonly closeMs?: number | undefined;
}

/** How often a stream that broke is taken up again before its request is given up. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 5,
};

/** A connection to one server over streamable HTTP. */
export class HttpHostTransport implements Transport {
  /** Called once when the connection is gone. */
  onclose?: () => void;
  /** Called for what goes wrong beside a request. */
  onerror?: (error: Error) => void;
  /** Called for each message. */
  onmessage?: <Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void;
  /** Each request has a stream of its own; closing it cancels the request. */
  readonly hasPerRequestStream = true;

  readonly #inner: StreamableHTTPClientTransport;
  readonly #exact = new ExactTexts();
  readonly #requests: WaitingRequests;
  readonly #closeMs: number;
  #resumptions = 0;
  #sessionLost = false;
  #closing: Promise<void> | undefined;

  /** Describes the connection to the server at `url`. */
  constructor(url: URL, options: HttpHostOptions) {
    this.#closeMs = options.closeMs ?? 2_000;
    this.#requests = new WaitingRequests(this.#closeMs);
    this.#inner = new StreamableHTTPClientTransport(url, {
      fetch: createServerFetch({
        server: options.server,
        origin: url.origin,
        credentials: Object.keys(options.headers).length > 0 || url.search !== "",
        runtime: options.runtime,
        texts: this.#exact,
        send: options.fetch ?? fetch,
        maxMessageBytes: options.maxMessageBytes ?? 67_108_864,
        onWhole: (mark) => this.#requests.isWhole(mark),
        onResumed: () => this.#resumptions += 1,
        onSessionLost: () => {
          this.#sessionLost = true;
          void this.close();
        },
      }),
      requestInit: { headers: { ...options.headers } },
      reconnectionOptions: RECONNECTION,
    });
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      this.#requests.received(message);
      this.onmessage?.(message);
    };
  }

  /** The session that the server gave; `undefined`: none. */
  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** Whether the server said that it does not know the session any more. */
  get sessionLost(): boolean {
    return this.#sessionLost;
  }

  /** How many times a stream was taken up again. */
  get resumptions(): number {
    return this.#resumptions;
  }

  /** A stand-in for a JSON text that goes out exactly as it is. Throws a `SyntaxError` when it is not JSON. */
  exact(text: string): string {
    return this.#exact.placeholder(text);
  }

  /** Which revision requests name. */
  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** Prepares the connection; nothing is sent. */
  async start(): Promise<void> {
    await this.#inner.start();
  }

  /**
   * Sends one message; a request is over when it is answered, or its cancellation was sent. Rejects when it cannot be
   * sent, and with a `StreamEndedError` when what came for it ends without an answer.
   */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const transport: Transport = this.#inner;
    if ("method" in message && "id" in message) {
      return await this.#requests.send(message, { transport, options });
    }
    const sent = transport.send(message, options);
    this.#requests.notified(message, sent);
    await sent;
  }

  /** Ends the session, if there is one, and every stream. Resolves when the connection is gone. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    // MCP 2025-11-25, session management: a client that leaves says so, and a server may not care
    if (this.sessionId !== undefined && !this.#sessionLost) {
      await within(this.#inner.terminateSession().catch(() => undefined), this.#closeMs);
    }
    await this.#inner.close();
    this.#requests.end();
    this.onclose?.();
  }
}
