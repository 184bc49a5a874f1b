/**
 * What every request of one connection goes through, before and after its bearer: once the gate is shut nothing is sent
 * any more, not even again; streams, subscriptions and reconnects end at once, and a plain call that was sent before
 * may return.
 *
 * When it is shut is decided in `adapters/mcp/host/enterprise/threads/thread_server.ts`; the bearer is put on in
 * `adapters/http/tokens/authenticated_fetch.ts`. MCP 2026-07-28, transports.
 *
 * @module
 */

import { follow } from "../../../../async/follow.ts";
import { isSubscription } from "../../../../http/tokens/bearer_request.ts";
import type { AuthenticatedFetch } from "../../../../http/tokens/enterprise_tokens.ts";
import { ExactTexts } from "../../../wire/exact_text.ts";
import { abortBody } from "../../connect/http/abort_body.ts";
import { readSmallBody } from "./small_body.ts";
import { watchBody } from "./watch_body.ts";

/** Header that says which connection a request belongs to. It never leaves: `ConnectionGates` takes it off. */
export const CONNECTION_HEADER = "x-codex-mcp-connection";

/** What a gate tells. */
export interface ConnectionGateOptions {
  /** Sees each error that a request failed with. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
  /** The server knows the session of the connection no more. */
  readonly onSessionLost?: (() => void) | undefined;
  /** Work {@linkcode ConnectionGate.during} a call begins, `true`, or is over, `false`. */
  readonly onWork?: ((begins: boolean) => void) | undefined;
}

/** The gate of one connection. */
export class ConnectionGate {
  /** Its name. */
  readonly id: string = crypto.randomUUID();
  readonly #options: ConnectionGateOptions;
  readonly #exact = new ExactTexts();
  readonly #shut = new AbortController();
  readonly #streams = new Set<AbortController>();
  #running = 0;
  #resumptions = 0;
  #drained: (() => void) | null = null;

  /** An open gate. */
  constructor(options: ConnectionGateOptions = {}) {
    this.#options = options;
  }

  /** Aborted when the gate is shut, with the error of whoever comes later as its reason. */
  get shut(): AbortSignal {
    return this.#shut.signal;
  }

  /** How many times a stream was resumed. */
  get resumptions(): number {
    return this.#resumptions;
  }

  /** A stand-in for a JSON text that goes out exactly as it is. Throws a `SyntaxError` when it is not JSON. */
  exact(text: string): string {
    return this.#exact.placeholder(text);
  }

  /** Throws what the gate was shut with. */
  check(): void {
    if (this.#shut.signal.aborted) throw this.#shut.signal.reason;
  }

  /** Shuts the gate: streams end, nothing is sent. The first error stays. */
  close(error: Error): void {
    if (this.#shut.signal.aborted) return;
    this.#shut.abort(error);
    for (const stream of this.#streams) stream.abort(error);
    this.#streams.clear();
  }

  /** Resolves when no plain call runs any more: to whether one did. Of use once the gate is shut. */
  async drained(): Promise<boolean> {
    if (this.#running === 0) return false;
    await new Promise<void>((resolve) => this.#drained = resolve);
    return true;
  }

  /** Does `work` as a part of a call that runs. Rejects as it does, or with what the gate is shut with. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.check();
    const end = this.#run();
    this.#options.onWork?.(true);
    try {
      return await work();
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#options.onWork?.(false);
      end();
    }
  }

  /** `send` behind the gate. */
  around(send: AuthenticatedFetch): AuthenticatedFetch {
    return async (input, init = {}) => {
      this.check();
      try {
        return await this.#send(send, { input, init });
      } catch (error) {
        throw this.#explain(error);
      }
    };
  }

  #explain(error: unknown): unknown {
    this.#options.onFailed?.(error);
    return this.#shut.signal.aborted ? this.#shut.signal.reason : error;
  }

  async #send(send: AuthenticatedFetch, { input, init }: Outgoing): Promise<Response> {
    const headers = new Headers(init.headers);
    const body = typeof init.body === "string" ? this.#exact.splice(init.body) : init.body;
    const stream = init.method === "GET" ||
      isSubscription(headers, headers.has("mcp-method") ? undefined : bytesOf(body));
    const resumed = init.method === "GET" && headers.has("last-event-id");
    headers.set(CONNECTION_HEADER, this.id);
    const { controller, stop } = follow(...(init.signal ? [init.signal] : []));
    const { signal } = controller;
    const end = this.#begin(controller, stream);
    const over = (): void => {
      stop();
      end();
    };
    try {
      const sent = { ...init, ...(body === undefined ? {} : { body }), headers, signal };
      const response = await send(input, sent);
      if (resumed && response.ok) this.#resumptions += 1;
      if (response.status === 404 && headers.has("mcp-session-id")) this.#options.onSessionLost?.();
      const whole = await readSmallBody(response, signal);
      if (whole === null) return watchBody(abortBody(response, signal), over);
      over();
      return whole;
    } catch (error) {
      over();
      throw error;
    }
  }

  #begin(controller: AbortController, stream: boolean): () => void {
    if (!stream) return this.#run();
    this.#streams.add(controller);
    return () => void this.#streams.delete(controller);
  }

  #run(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
      if (this.#running === 0) this.#drained?.();
    };
  }
}

interface Outgoing {
  readonly input: string | URL | Request;
  readonly init: RequestInit;
}

/** The beginning of a body, as far as it says what is asked for. */
function bytesOf(body: RequestInit["body"]): Uint8Array<ArrayBuffer> | undefined {
  return typeof body === "string" ? new TextEncoder().encode(body.slice(0, 4096)) : undefined;
}

/**
 * The gates of all connections, where requests leave: the last moment before one is sent, also before one is sent
 * again.
 */
export class ConnectionGates {
  readonly #gates = new Map<string, ConnectionGate>();
  readonly #fetch: typeof globalThis.fetch | undefined;

  /** Sends with `fetch`; absent: the global function, looked up at each request. */
  constructor(fetch?: typeof globalThis.fetch) {
    this.#fetch = fetch;
  }

  /** Lets requests of a connection through, until the function that is given back is called. */
  open(gate: ConnectionGate): () => void {
    this.#gates.set(gate.id, gate);
    return () => void this.#gates.delete(gate.id);
  }

  /** Sends a request that has its bearer. One that belongs to no open connection is not sent. */
  async send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const gate = this.#gates.get(headers.get(CONNECTION_HEADER) ?? "");
    headers.delete(CONNECTION_HEADER);
    if (gate === undefined) throw new Error("Cannot send the request: its connection is gone");
    gate.check();
    return await (this.#fetch ?? globalThis.fetch)(input, { ...init, headers });
  }
}
