/**
 * How requests to an HTTP server go out: with exact texts in place, to the configured origin alone, and with errors
 * that quote nothing. A redirect is left to the SDK, which follows one that stays on the origin and keeps the method,
 * and takes any other for a failure: what is sent may hold credentials.
 *
 * @module
 */

import { ownProperty } from "../../../../core/json/value.ts";
import { redactError } from "../../../http/redact.ts";
import type { ExactTexts } from "../../exact_text.ts";
import { boundBody } from "./bound_body.ts";

/** What requests go out with. */
export interface ServerFetchOptions {
  /** The origin of the configured URL. */
  readonly origin: string;
  /** The exact texts of the connection. */
  readonly texts: ExactTexts;
  /** Sends a request. */
  readonly send: typeof fetch;
  /** Most bytes of one message of an answer. */
  readonly maxMessageBytes: number;
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
  { origin, texts, send, maxMessageBytes, onResumed, onSessionLost }: ServerFetchOptions,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin) {
      throw new Error("Cannot send to the MCP server: it is on another origin than its url");
    }
    const headers = new Headers(init.headers);
    const body = typeof init.body === "string" ? { body: texts.splice(init.body) } : {};
    let response: Response;
    try {
      response = await send(url, { ...init, ...body, headers, redirect: "manual" });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new UnreachableError(error);
    }
    if (response.ok && headers.has("last-event-id")) onResumed();
    const bounded = boundBody(response, maxMessageBytes);
    if (headers.has("mcp-session-id") && await saysNoSession(bounded)) onSessionLost();
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
