/**
 * The host's end of a streamable HTTP connection, as a transport of the MCP SDK: the SDK's own, with exact texts, a
 * bound on what is read (`server_fetch.ts`), and an end to requests whose stream ended without an answer, which the
 * SDK would wait for until their timeout.
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
import { within } from "../../../sandbox/end_group.ts";
import { ExactTexts } from "../../exact_text.ts";
import { createServerFetch } from "./server_fetch.ts";

/** What the connection is made with. */
export interface HttpHostOptions {
  /** Header fields of each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends requests; absent: the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
  /** Most bytes of one message from the server; absent: 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Milliseconds that the server gets to hear of the end of its session; absent: 2,000. */
  readonly closeMs?: number | undefined;
}

/** The stream of a request ended without an answer. */
export class StreamEndedError extends Error {
  /** Survives minification. */
  override readonly name = "StreamEndedError";

  /** Creates it. */
  constructor() {
    super("Cannot wait for the answer of the MCP server: its stream has ended");
  }
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
  readonly #waiting = new Map<string | number, (answered: boolean) => void>();
  readonly #closeMs: number;
  #resumptions = 0;
  #sessionLost = false;
  #closing: Promise<void> | undefined;

  /** Describes the connection to the server at `url`. */
  constructor(url: URL, options: HttpHostOptions) {
    this.#closeMs = options.closeMs ?? 2_000;
    this.#inner = new StreamableHTTPClientTransport(url, {
      fetch: createServerFetch({
        origin: url.origin,
        texts: this.#exact,
        send: options.fetch ?? fetch,
        maxMessageBytes: options.maxMessageBytes ?? 67_108_864,
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
      if (!("method" in message) && message.id !== undefined) this.#waiting.get(message.id)?.(true);
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
   * Sends one message; a request is over when it is answered. Rejects when it cannot be sent, and with
   * {@linkcode StreamEndedError} when its stream ends without an answer.
   */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const inner: Transport = this.#inner;
    if (!("method" in message && "id" in message)) return await inner.send(message, options);
    const { id } = message;
    let settle: (answered: boolean) => void = () => undefined;
    const over = new Promise<boolean>((resolve) => settle = resolve);
    const abandon = (): void => settle(true);
    this.#waiting.set(id, settle);
    options.requestSignal?.addEventListener("abort", abandon);
    try {
      await inner.send(message, {
        ...options,
        onRequestStreamEnd: () => {
          settle(false);
          options.onRequestStreamEnd?.();
        },
      });
      if (!await over) throw new StreamEndedError();
    } finally {
      options.requestSignal?.removeEventListener("abort", abandon);
      if (this.#waiting.get(id) === settle) this.#waiting.delete(id);
    }
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
    for (const settle of this.#waiting.values()) settle(true);
    this.onclose?.();
  }
}
