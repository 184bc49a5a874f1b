/**
 * Leads oauth4webapi through the hardened transport: the function for its `customFetch`. An answer that is a
 * redirect, too long or no JSON reaches the library with its status and without its body, so that it is refused there
 * like any other answer without a document. A status that HTTP does not have is that of a broken gateway.
 *
 * The transport is `http.ts`. Errors of the library carry the response: whoever catches one replaces it
 * (`redact.ts`).
 *
 * @module
 */

import type { CustomFetchOptions } from "oauth4webapi";
import type { HttpPort, HttpRequest, HttpResponse } from "../../../core/ports/http.ts";
import { follow } from "../../async/follow.ts";
import { MAX_CHALLENGE_LENGTH } from "./challenge.ts";
import { readDocument } from "./document.ts";
import { MAX_DOCUMENT_BYTES } from "./http.ts";

/** How far requests of the library go. */
export interface OAuthFetchOptions {
  /** Ends the request; the library's own signal ends it too. */
  readonly signal: AbortSignal;
  /** How many bytes are read; default {@linkcode MAX_DOCUMENT_BYTES}. */
  readonly maxBytes?: number;
  /** Sees each answer before the library does. */
  readonly onAnswer?: (response: HttpResponse) => void;
}

/** A function in the shape of `fetch`, as `customFetch` of oauth4webapi wants it. */
export type OAuthFetch = (
  url: string,
  options: CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>,
) => Promise<Response>;

/**
 * The function for `customFetch`. It throws what `http.send` throws; the library hands that on as it is.
 *
 * @example
 * ```ts
 * import * as oauth from "oauth4webapi";
 * import { createSendingRuntime } from "../../deno/sending.ts";
 * import { createHttp } from "./http.ts";
 * import { oauthFetch } from "./oauth_fetch.ts";
 *
 * const signal = AbortSignal.timeout(30_000);
 * const options = { [oauth.customFetch]: oauthFetch(createHttp({ runtime: createSendingRuntime() }), { signal }) };
 * console.log(typeof options[oauth.customFetch]); // function
 * ```
 */
export function oauthFetch(http: HttpPort, options: OAuthFetchOptions): OAuthFetch {
  return async (url, { method, headers, body, signal }) => {
    const request: HttpRequest = {
      method,
      url,
      headers: Object.entries(headers),
      ...(body === undefined ? {} : { body: body.toString() }),
    };
    const { controller, stop } = follow(options.signal, ...(signal === undefined ? [] : [signal]));
    const maxBytes = options.maxBytes ?? MAX_DOCUMENT_BYTES;
    try {
      const answer = withStatus(await http.send(request, { signal: controller.signal, maxBytes }));
      options.onAnswer?.(answer);
      return responseOf(answer);
    } finally {
      stop();
    }
  };
}

/** RFC 9110, 15: a status is from 100 to 599, and an answer's from 200. */
function withStatus(answer: HttpResponse): HttpResponse {
  return answer.status >= 200 && answer.status <= 599 ? answer : { ...answer, status: 502 };
}

/** The statuses of answers that have no body, and that cannot be given one. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function responseOf(answer: HttpResponse): Response {
  const usable = readDocument(answer).kind === "json" && !isRedirect(answer.status) &&
    !WITHOUT_BODY.includes(answer.status);
  const headers = new Headers(answer.headers.map(([name, value]): [string, string] => [name, value]));
  // The body is already decoded.
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  // The library takes a challenge apart before it looks at anything else.
  if ((headers.get("www-authenticate") ?? "").length > MAX_CHALLENGE_LENGTH) {
    headers.delete("www-authenticate");
  }
  return new Response(usable && answer.body !== null ? new Uint8Array(answer.body) : null, {
    status: answer.status,
    headers,
  });
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
