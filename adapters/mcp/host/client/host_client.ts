/**
 * The SDK's client as this host uses it: each further request of a call is guarded
 * (`rounds.ts`), a question of the server finds the call that it belongs to, and an error of
 * the server is told from one of the SDK's own checks.
 *
 * MCP 2026-07-28, multi-round-trip requests; in the revisions before, a server asks by a request of its own.
 *
 * @module
 */

import {
  type CallToolRequest,
  type CallToolResult,
  Client,
  type ClientOptions,
  type Implementation,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  type RequestOptions,
  type Tool,
} from "@modelcontextprotocol/client";
import type { CatalogHints } from "../../../../core/catalog/lifetime.ts";
import { HostError } from "../../../../core/errors.ts";
import { LONGEST_DELAY_MS } from "../../../async/longest_delay.ts";
import { OutputValidator } from "../output/output_validator.ts";
import type { GuardedCall } from "./guarded_call.ts";
import { putQuestion, type QuestionHandler } from "./put_question.ts";
import { type NeededInput, runRounds } from "./rounds.ts";

/** What the SDK hands over of a request that needs input. */
interface CallFlow {
  readonly request: { readonly params?: Record<string, unknown> | undefined };
  readonly options: RequestOptions | undefined;
  retry(params: Record<string, unknown> | undefined, options: RequestOptions): Promise<unknown>;
}

/** What a server answers when header fields do not say what the arguments do. MCP 2026-07-28, `HEADER_MISMATCH`. */
const HEADER_MISMATCH = -32020;

/** A client whose calls are guarded. */
export class HostClient extends Client {
  readonly #validator: OutputValidator;
  readonly #pages = new Map<AbortSignal, CatalogHints[]>();
  readonly #calls = new Map<AbortSignal, GuardedCall>();
  readonly #sent = new WeakSet<AbortSignal>();
  readonly #answered = new WeakSet<object>();

  /** Whether the server may still work on a call that nobody waits for. */
  #unanswered = false;

  /** Told of a tool whose answer was delivered unchecked, or not checked in all. */
  onUnchecked: (tool: string) => void = () => {};

  /** Made like the SDK's own. */
  constructor(clientInfo: Implementation, options?: ClientOptions) {
    const validator = new OutputValidator();
    super(clientInfo, { ...options, jsonSchemaValidator: validator });
    this.#validator = validator;
    const request = this.request as (...args: unknown[]) => Promise<unknown>;
    const noting = async (...args: unknown[]): Promise<unknown> => {
      this.#beforeRequest(args);
      try {
        const answer = await request.apply(this, args);
        this.#notePage(args, answer);
        return answer;
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

  /** The SDK puts the pages of a list together, and keeps what the first says about being kept alone. */
  #notePage([request, options]: readonly unknown[], answer: unknown): void {
    const { method } = request as { readonly method: string };
    const { signal } = (options ?? {}) as RequestOptions;
    if (method !== "tools/list" || signal === undefined) return;
    const { ttlMs, cacheScope } = answer as CatalogHints;
    this.#pages.get(signal)?.push({ ttlMs, cacheScope });
  }

  /** The tools of all pages, whatever a cache holds, and what each page says about being kept. */
  async listPages(signal: AbortSignal): Promise<{ tools: readonly Tool[]; hints: readonly CatalogHints[] }> {
    const hints: CatalogHints[] = [];
    this.#pages.set(signal, hints);
    try {
      const options = { signal, timeout: LONGEST_DELAY_MS, cacheMode: "refresh" } as const;
      const { tools } = await this.listTools(undefined, options);
      return { tools, hints };
    } finally {
      this.#pages.delete(signal);
    }
  }

  /** Calls a tool. Rejects with whatever the SDK says; `adapters/mcp/host/call/error.ts` makes it one of ours. */
  async callGuarded(params: CallToolRequest["params"], call: GuardedCall): Promise<CallToolResult> {
    const { signal } = call.context;
    this.#calls.set(signal, call);
    try {
      return await this.#call(params, { call, definition: call.definition });
    } catch (error) {
      const mismatch = error instanceof ProtocolError && error.code === HEADER_MISMATCH;
      if (call.definition === undefined || !mismatch || !this.cameFromOutside(error)) throw error;
      const definition = await call.renew?.().catch(() => null) ?? null;
      if (definition === null) throw error;
      return await this.#call(params, { call, definition });
    } finally {
      if (signal.aborted) this.#unanswered = true;
      this.#calls.delete(signal);
    }
  }

  async #call(
    params: CallToolRequest["params"],
    { call, definition }: { readonly call: GuardedCall; readonly definition: Tool | undefined },
  ): Promise<CallToolResult> {
    const result = await this.callTool(params, {
      signal: call.context.signal,
      timeout: LONGEST_DELAY_MS, // the call has a deadline of its own, over all that it does
      ...(call.onProgress === undefined ? {} : { onprogress: call.onProgress }),
      ...(definition === undefined ? {} : { toolDefinition: definition }),
    });
    if (this.#validator.tookUnchecked(result.structuredContent)) this.onUnchecked(params.name);
    return result;
  }

  /** Whether `error` came from the server or the connection, and not from a check of what the server answered. */
  cameFromOutside(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#answered.has(error);
  }

  /**
   * The call that `signal` belongs to, else the only one that is under way while every earlier one was answered: it can
   * be no other. `null`: it cannot be told.
   */
  callAsking(signal: AbortSignal): GuardedCall | null {
    const named = this.#calls.get(signal);
    if (named !== undefined) return named;
    if (this.#unanswered) return null;
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
    const handlerOf = (method: string): QuestionHandler | undefined => this._getRequestHandler(method);
    return await runRounds(decoded, {
      server,
      proceed: call.repeat,
      pause: call.pause,
      isNeed,
      ask: (name, request) => call.whileAsking(() => putQuestion(name, { request, call, handlerOf })),
      send: (answers) =>
        flow.retry({ ...flow.request.params, ...answers }, { ...flow.options, allowInputRequired: true }),
    });
  }
}

function isNeed(answer: unknown): answer is NeededInput & InputRequiredResult {
  return isInputRequiredResult(answer);
}
