/**
 * The SDK's client as this host uses it: each further request of a call is guarded (`input_rounds.ts`), a question of
 * the server finds the call that it belongs to, and an error of the server is told from one of the SDK's own checks.
 *
 * MCP 2026-07-28, multi-round-trip requests; in the revisions before, a server asks by a request of its own.
 *
 * @module
 */

import {
  type CallToolRequest,
  type CallToolResult,
  Client,
  type ClientContext,
  type ClientOptions,
  type Implementation,
  type InputRequiredResult,
  isInputRequiredResult,
  type Progress,
  type RequestOptions,
} from "@modelcontextprotocol/client";
import { HostError, quote } from "../../../core/errors.ts";
import { isJsonObject } from "../../../core/json/value.ts";
import { LONGEST_WAIT_MS } from "../../sandbox/end_group.ts";
import type { InputContext } from "./input.ts";
import { type NeededInput, runRounds } from "./input_rounds.ts";

/** One call, as its client needs to know it. */
export interface GuardedCall {
  /** Whose call it is, for questions of the server. Its signal ends the call. */
  readonly context: InputContext;
  /** Throws when the call may not be sent again. Asked before anybody is asked anything, and before it is. */
  readonly repeat: () => void;
  /** Runs while the host's own people are asked, which takes no time of the call's. */
  readonly whileAsking: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Waits before a request that answers nothing. Rejects when the call is over. */
  readonly pause: () => Promise<void>;
  /** Told of progress; absent: none is asked for. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What the SDK hands over of a request that needs input. */
interface CallFlow {
  readonly request: { readonly params?: Record<string, unknown> | undefined };
  readonly options: RequestOptions | undefined;
  retry(params: Record<string, unknown> | undefined, options: RequestOptions): Promise<unknown>;
}

/** A client whose calls are guarded. */
export class HostClient extends Client {
  readonly #calls = new Map<AbortSignal, GuardedCall>();
  readonly #sent = new WeakSet<AbortSignal>();
  readonly #answered = new WeakSet<object>();

  /** Made like the SDK's own. */
  constructor(clientInfo: Implementation, options?: ClientOptions) {
    super(clientInfo, options);
    const request = this.request as (...args: unknown[]) => Promise<unknown>;
    const noting = async (...args: unknown[]): Promise<unknown> => {
      this.#beforeRequest(args);
      try {
        return await request.apply(this, args);
      } catch (error) {
        if (typeof error === "object" && error !== null) this.#answered.add(error);
        throw error;
      }
    };
    this.request = noting as typeof this.request;
  }

  /** The SDK sends a call again by itself, such as after `HEADER_MISMATCH`. */
  #beforeRequest([request, options]: readonly unknown[]): void {
    const { method } = request as { readonly method: string };
    const { signal } = (options ?? {}) as RequestOptions;
    if (method !== "tools/call" || signal === undefined) return;
    if (this.#sent.has(signal)) this.#calls.get(signal)?.repeat();
    this.#sent.add(signal);
  }

  /** Calls a tool. Rejects with whatever the SDK says; `call_error.ts` makes it one of ours. */
  async callGuarded(params: CallToolRequest["params"], call: GuardedCall): Promise<CallToolResult> {
    const { signal } = call.context;
    this.#calls.set(signal, call);
    try {
      return await this.callTool(params, {
        signal,
        timeout: LONGEST_WAIT_MS, // the call has a deadline of its own, over all that it does
        ...(call.onProgress === undefined ? {} : { onprogress: call.onProgress }),
      });
    } finally {
      this.#calls.delete(signal);
    }
  }

  /** Whether `error` came from the server or the connection, and not from a check of what the server answered. */
  cameFromOutside(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#answered.has(error);
  }

  /** The call that `signal` belongs to, else the only one that is under way; `null`: it cannot be told. */
  callAsking(signal: AbortSignal): GuardedCall | null {
    const named = this.#calls.get(signal);
    if (named !== undefined) return named;
    const [only, ...others] = this.#calls.values();
    return others.length === 0 ? only ?? null : null;
  }

  protected override async _resolveNonCompleteResult(
    decoded: NeededInput,
    flow: CallFlow,
  ): Promise<unknown> {
    const call = flow.options?.signal === undefined ? undefined : this.#calls.get(flow.options.signal);
    if (call === undefined) throw new HostError("INPUT_REQUIRED", "Cannot answer: no call of ours is asked");
    const { server } = call.context;
    return await runRounds(decoded, {
      server,
      proceed: call.repeat,
      pause: call.pause,
      isNeed,
      ask: (name, request) => call.whileAsking(() => this.#ask(name, { request, call })),
      send: (answers) =>
        flow.retry({ ...flow.request.params, ...answers }, { ...flow.options, allowInputRequired: true }),
    });
  }

  /** Puts a question that came with an answer to the handler that such a request would have. */
  async #ask(
    name: string,
    { request, call }: { readonly request: unknown; readonly call: GuardedCall },
  ): Promise<unknown> {
    const { server, signal } = call.context;
    const method = isJsonObject(request) ? request["method"] : undefined;
    const handler = typeof method === "string" && ASKED.includes(method)
      ? this._getRequestHandler(method)
      : undefined;
    if (typeof method !== "string" || handler === undefined) {
      const state = `it asks for ${quote(String(method))}, and this host answers no such question`;
      throw new HostError("INPUT_REQUIRED", `Cannot go on with the call at ${quote(server)}: ${state}`, {
        server,
      });
    }
    const params = (request as { readonly params?: Record<string, unknown> }).params;
    const message = {
      jsonrpc: "2.0" as const,
      id: name,
      method,
      ...(isJsonObject(params) ? { params: { ...params } } : {}),
    };
    return await handler(message, contextOf(name, { method, signal }));
  }
}

/** What may be asked within an answer. MCP 2026-07-28, multi-round-trip requests. */
const ASKED: readonly string[] = ["elicitation/create", "sampling/createMessage", "roots/list"];

/** What a handler is told of a question that is no request of its own. */
function contextOf(
  id: string,
  { method, signal }: { readonly method: string; readonly signal: AbortSignal },
): ClientContext {
  const unrelated = (): never => {
    throw new HostError(
      "PROTOCOL_ERROR",
      "Cannot send a message about a question: it is no request of its own",
    );
  };
  return {
    mcpReq: { id, method, signal, requestState: () => undefined, send: unrelated, notify: unrelated },
  };
}

function isNeed(answer: unknown): answer is NeededInput & InputRequiredResult {
  return isInputRequiredResult(answer);
}
