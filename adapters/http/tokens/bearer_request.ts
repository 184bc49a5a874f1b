/**
 * Which requests may carry a bearer, and how one is kept so that it can be sent twice.
 *
 * The bearer is put on in `authenticated_fetch.ts`. MCP 2026-07-28, transports; RFC 6750, 5.3.
 *
 * @module
 */

import type { ThreadUse } from "../../../core/enterprise/authorization/use.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { urlFlaw } from "../../../core/enterprise/url.ts";
import { quote } from "../../../core/errors.ts";
import { follow } from "../../async/follow.ts";
import type { Authorization } from "../authorization/authorization.ts";

/** A request without its bearer. */
export interface OutgoingRequest {
  /** The configured URL, verbatim. */
  readonly url: string;
  /** Header fields, without any `Authorization` of the caller. */
  readonly headers: Headers;
  /** The rest. */
  readonly init: {
    readonly method: string;
    readonly signal: AbortSignal;
    readonly body?: Uint8Array<ArrayBuffer>;
  };
}

/** For whom a request goes out. */
export interface OutgoingContext extends ThreadUse {
  /** Says when a stream ends. */
  readonly authorization: Pick<Authorization, "streamSignal">;
  /** The configured URL; `undefined`: the server is not configured. */
  readonly url: string | undefined;
  /**
   * What the caller ends the request with; absent: the request's own, which Node forgets when it collects the
   * request.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the request whole. A stream that stays open (`GET`, a subscription) ends when the thread is revoked; a plain
 * call may return.
 *
 * @throws {EnterpriseError} `URL_REFUSED` when the request is for another URL than the configured one.
 */
export async function outgoingOf(request: Request, context: OutgoingContext): Promise<OutgoingRequest> {
  const { server, url, authorization, signal: caller = request.signal } = context;
  if (url === undefined || !isSame(request.url, url)) {
    throw new EnterpriseError(
      "URL_REFUSED",
      `Cannot send a bearer of the server ${quote(server)}: the request is not for its configured URL`,
      { reason: "another-url" },
    );
  }
  const { headers } = request; // nobody else sends it
  headers.delete("authorization");
  headers.delete("cookie");
  const { method } = request;
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const stream = method === "GET" || isSubscription(headers, body);
  const signal = stream ? untilEither(caller, authorization.streamSignal(context)) : caller;
  return { url, headers, init: { method, signal, ...(body === undefined ? {} : { body }) } };
}

/** Aborted with either. A stream that ends by itself is followed until the thread ends, which nobody notices. */
function untilEither(request: AbortSignal, revocation: AbortSignal): AbortSignal {
  const { controller, stop } = follow(request, revocation);
  controller.signal.addEventListener("abort", stop, { once: true });
  return controller.signal;
}

/** Whether both are the same URL once they are parsed. What the parser would drop or rewrite is refused before. */
function isSame(asked: string, configured: string): boolean {
  if (asked === configured) return true; // found usable when it was configured
  return urlFlaw(asked) === null && new URL(asked).href === new URL(configured).href;
}

/** Whether a POST opens a subscription, which stays open like a `GET`. */
export function isSubscription(headers: Headers, body: Uint8Array<ArrayBuffer> | undefined): boolean {
  const named = headers.get("mcp-method");
  if (named !== null) return named.startsWith("subscriptions/");
  return body !== undefined && new TextDecoder().decode(body.subarray(0, 4096)).includes('"subscriptions/');
}
