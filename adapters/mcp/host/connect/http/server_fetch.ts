/**
 * How requests to an HTTP server go out: with exact texts in place, to the configured URL alone, and with errors that
 * quote nothing. No redirect is followed, and what may hold a credential or a state is sent by a safe runtime alone
 * (`refused_request.ts`).
 *
 * @module
 */

import { ownProperty } from "../../../../../core/json/value.ts";
import { never } from "../../../../async/never.ts";
import { redactError } from "../../../../http/transport/redact.ts";
import type { SendingRuntime } from "../../../../http/transport/sending.ts";
import type { ExactTexts } from "../../../wire/exact_text.ts";
import { abortBody } from "./abort_body.ts";
import { boundBody, isEventStream } from "./bound_body.ts";
import { redirected, requireSafeRequest } from "./refused_request.ts";

/** The header field that marks a request for `onWhole`; it is not sent. */
export const REQUEST_MARK = "x-request-mark";

/** What requests go out with. */
export interface ServerFetchOptions {
  /** Name of the server. */
  readonly server: string;
  /** The origin of the configured URL. */
  readonly origin: string;
  /** The exact texts of the connection. */
  readonly texts: ExactTexts;
  /** Whether header fields or the query of the URL may hold credentials. */
  readonly credentials: boolean;
  /** How the runtime sends. */
  readonly runtime: SendingRuntime;
  /** Sends a request. */
  readonly send: typeof fetch;
  /** Most bytes of one message of an answer. */
  readonly maxMessageBytes: number;
  /** Called when the answer to a marked request is no stream: once it is read, nothing more comes. */
  readonly onWhole: (mark: string) => void;
  /** Called when a stream was taken up again. */
  readonly onResumed: () => void;
  /** Called when the server does not know the session any more. */
  readonly onSessionLost: () => void;
}

/** There was no answer to a request. Its message and fields hold nothing of the request. */
export class UnreachableError extends Error {
  /** Survives minification. */
  override readonly name = "UnreachableError";
  /** Code of the runtime's error, such as `"ECONNREFUSED"`; `null`: it gave none. */
  readonly code: string | null;

  /** Creates it from what the runtime threw. */
  constructor(error: unknown) {
    const { code, name } = redactError(error);
    super(`Cannot reach the MCP server: ${code ?? name}`);
    this.code = code;
  }
}

/** The `fetch` of one connection. */
export function createServerFetch(
  options: ServerFetchOptions,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const { server, origin, texts, credentials, runtime, send } = options;
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin) {
      throw new Error("Cannot send to the MCP server: it is on another origin than its url");
    }
    const headers = new Headers(init.headers);
    const mark = headers.get(REQUEST_MARK);
    headers.delete(REQUEST_MARK);
    const body = typeof init.body === "string" ? { body: texts.splice(init.body) } : {};
    if (credentials || "body" in body && body.body !== init.body) {
      const signal = init.signal ?? never();
      await requireSafeRequest(origin, { server, runtime, signal });
    }
    let response: Response;
    try {
      response = await send(url, { ...init, ...body, headers, redirect: "manual" });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new UnreachableError(error);
    }
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel().catch(() => undefined);
      throw redirected(server, status);
    }
    if (response.ok && headers.has("last-event-id")) options.onResumed();
    if (mark !== null && (status === 202 || !isEventStream(response))) options.onWhole(mark);
    const ending = init.signal ? abortBody(response, init.signal) : response;
    const bounded = boundBody(ending, options.maxMessageBytes);
    if (headers.has("mcp-session-id") && await saysNoSession(bounded)) options.onSessionLost();
    return bounded;
  };
}

/**
 * Whether a server does not know the session of a request. MCP 2025-11-25 asks for 404; servers after the examples of
 * the SDK's first line answer 400 with the JSON-RPC error -32000 when they were started again.
 */
async function saysNoSession(response: Response): Promise<boolean> {
  const { status, headers } = response;
  if (status !== 400 || !headers.get("content-type")?.includes("json")) return status === 404;
  const answer: unknown = await response.clone().json().catch(() => null);
  return ownProperty(ownProperty(answer, "error"), "code") === -32_000;
}
