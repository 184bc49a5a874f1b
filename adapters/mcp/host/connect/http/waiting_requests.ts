/**
 * Requests over streamable HTTP that are not answered yet, and what ends each: its answer, its cancellation, or the end
 * of what came for it without an answer, which the SDK would wait for until its timeout.
 *
 * MCP 2025-11-25 and 2026-07-28, "Transports", streamable HTTP; "Cancellation".
 *
 * @module
 */

import type {
  JSONRPCMessage,
  JSONRPCRequest,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { within } from "../../../../sandbox/end_group.ts";
import { REQUEST_MARK } from "./server_fetch.ts";

/** What came for a request ended without an answer to it. */
export class StreamEndedError extends Error {
  /** Survives minification. */
  override readonly name = "StreamEndedError";

  /** Creates it. */
  constructor() {
    super("Cannot wait for the answer of the MCP server: what it sent has ended without one");
  }
}

interface Waiting {
  /** Ends it: with an answer, or without. */
  readonly settle: (answered: boolean) => void;
  /** Ends it and its stream. */
  readonly abandon: () => void;
}

/** The requests of one connection. */
export class WaitingRequests {
  readonly #waiting = new Map<unknown, Waiting>();
  readonly #whole = new Set<string>();
  readonly #cancelMs: number;
  #marks = 0;

  /** There are none yet. The server gets `cancelMs` milliseconds to take a cancellation. */
  constructor(cancelMs: number) {
    this.#cancelMs = cancelMs;
  }

  /** Takes note of a message that came. */
  received(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) this.#waiting.get(message.id)?.settle(true);
  }

  /** Takes note that the answer to the request of this mark is no stream. */
  isWhole(mark: string): void {
    this.#whole.add(mark);
  }

  /**
   * Takes note of a message that is no request, and of when it was sent. When it cancels a request, that and its stream
   * end after it: nothing more of them is read, and a stream that broke is not taken up again.
   */
  notified(message: JSONRPCMessage, sent: Promise<void>): void {
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const cancelled = this.#waiting.get(message.params?.["requestId"]);
    if (cancelled === undefined) return;
    void within(sent.catch(() => undefined), this.#cancelMs).then(cancelled.abandon);
  }

  /**
   * Sends a request over `transport`, marked. Resolves when it is answered or cancelled, or all of them are ended;
   * rejects when it cannot be sent, and with {@linkcode StreamEndedError} when what came for it ends without an answer.
   */
  async send(
    message: JSONRPCRequest,
    { transport, options }: { readonly transport: Transport; readonly options: TransportSendOptions },
  ): Promise<void> {
    const { id } = message;
    let settle: (answered: boolean) => void = () => undefined;
    const over = new Promise<boolean>((resolve) => settle = resolve);
    // with the protocol of 2025 the SDK has no signal for a request
    const own = new AbortController();
    const { requestSignal = own.signal } = options;
    const waiting: Waiting = { settle, abandon: () => own.abort() };
    const abandon = (): void => settle(true);
    const mark = String(++this.#marks);
    this.#waiting.set(id, waiting);
    requestSignal.addEventListener("abort", abandon);
    try {
      await transport.send(message, {
        ...options,
        requestSignal,
        headers: { ...options.headers, [REQUEST_MARK]: mark },
        onRequestStreamEnd: () => {
          settle(false);
          options.onRequestStreamEnd?.();
        },
      });
      // it was read, and an answer in it has settled the request
      if (this.#whole.has(mark)) settle(false);
      if (!await over) throw new StreamEndedError();
    } finally {
      requestSignal.removeEventListener("abort", abandon);
      this.#whole.delete(mark);
      if (this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    }
  }

  /** Ends all of them, as if they were answered. */
  end(): void {
    for (const { settle } of this.#waiting.values()) settle(true);
  }
}
