/**
 * The one hardened `fetch` that every OAuth request of this package goes through: it follows no redirect, keeps no
 * cookie, adds no credential, sends a body once, reads one as a stream up to a limit and ends with its signal. It
 * speaks plain http with nothing but a literal loopback address.
 *
 * When nothing is sent at all is decided in `sending.ts`; what is sent where in `core/enterprise` and beside this
 * file; how oauth4webapi is led through it in `oauth_fetch.ts`. RFC 9700, 4.11 and 4.12 (January 2025); MCP EMA
 * (stable), 7.3.
 *
 * Permission in Deno: `--allow-net` for the hosts that are reached.
 *
 * @module
 */

import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quoteUrl, urlFlaw, urlFlawText } from "../../../core/enterprise/url.ts";
import type { HttpOptions, HttpPort, HttpRequest, HttpResponse } from "../../../core/ports/http.ts";
import { readCapped } from "./_read_capped.ts";
import { redactError } from "./redact.ts";
import { requireSafeSending, type SendingRuntime } from "./sending.ts";

/** How many bytes of an OAuth document or of a token response are read: one mebibyte. */
export const MAX_DOCUMENT_BYTES = 1_048_576;

/** What the transport is made of. */
export interface HttpAdapterOptions {
  /** The runtime's own function; absent: the global one, looked up at each request. */
  readonly fetch?: typeof globalThis.fetch;
  /** How this runtime sends: `createSendingRuntime()` of Deno's or Node's adapter, else `createEdgeRuntime()`. */
  readonly runtime: SendingRuntime;
}

/** Why there was no answer. */
export type NoAnswerReason =
  /** The signal was aborted by its owner. */
  | "aborted"
  /** The deadline of the signal passed. */
  | "deadline"
  /** The certificate is not trusted, or TLS failed in another way. */
  | "tls"
  /** The network failed in another way. */
  | "network";

/**
 * Creates the transport. `reason` of its `TEMPORARILY_UNAVAILABLE` is a {@linkcode NoAnswerReason}; no error of it
 * holds a query, a header or a body.
 *
 * Its `send` throws `URL_REFUSED` for an address that is neither https nor plain http on a literal loopback address,
 * and `CONFIGURATION_REFUSED` (reasons `certificate-checks-off`, `loopback-through-proxy`) where this runtime would not
 * send safely.
 */
export function createHttp(options: HttpAdapterOptions): HttpPort {
  return {
    send: async (request, { signal, maxBytes }) => {
      requireUsableUrl(request.url);
      try {
        await requireSafeSending(request.url, { runtime: options?.runtime, signal });
      } catch (error) {
        throw error instanceof EnterpriseError ? error : noAnswer(error, { request, signal });
      }
      const send = options.fetch ?? globalThis.fetch;
      try {
        return await exchange(send, { request, signal, maxBytes });
      } catch (error) {
        throw noAnswer(error, { request, signal });
      }
    },
  };
}

interface Sending extends HttpOptions {
  readonly request: HttpRequest;
}

async function exchange(
  send: typeof globalThis.fetch,
  { request, signal, maxBytes }: Sending,
): Promise<HttpResponse> {
  signal.throwIfAborted();
  const { method, url, headers, body } = request;
  // Not `credentials` or `cache`: Workers throw at them, and no server runtime keeps cookies.
  const response = await send(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: "manual",
    signal,
    // A Blob, because Deno sends a text a second time when a connection that was used before is cut: an ID-JAG or a
    // rotating refresh token would go out twice. A Blob is read once, and has a length.
    ...(body === undefined ? {} : { body: new Blob([body]) }),
  });
  return {
    // What a browser makes of a redirect that is not followed.
    status: response.type === "opaqueredirect" ? 302 : response.status,
    headers: [...response.headers].map(([name, value]) => [name.toLowerCase(), value]),
    body: await readCapped(response, { signal, maxBytes }),
  };
}

function requireUsableUrl(url: string): void {
  const flaw = urlFlaw(url);
  if (flaw === null) return;
  throw new EnterpriseError("URL_REFUSED", `Cannot use ${quoteUrl(url)}: ${urlFlawText(flaw)}`, {
    reason: flaw,
    section: "MCP EMA, 7.3",
  });
}

const STATES: Readonly<Record<NoAnswerReason, string>> = {
  aborted: "the request was cancelled",
  deadline: "it did not answer in time",
  tls: "its certificate is not trusted, or TLS failed",
  network: "there is no connection",
};

interface Failed {
  readonly request: HttpRequest;
  readonly signal: AbortSignal;
}

function noAnswer(error: unknown, { request, signal }: Failed): EnterpriseError {
  const reason = reasonOf(error, signal);
  return new EnterpriseError(
    "TEMPORARILY_UNAVAILABLE",
    `Cannot reach ${quoteUrl(request.url)}: ${STATES[reason]}`,
    { reason, cause: redactError(error) },
  );
}

function reasonOf(error: unknown, signal: AbortSignal): NoAnswerReason {
  if (signal.aborted) {
    const { reason }: { reason: unknown } = signal;
    return reason instanceof Error && reason.name === "TimeoutError" ? "deadline" : "aborted";
  }
  const inner = error instanceof Error ? error.cause : undefined;
  const text = [error, inner].map((one) => one instanceof Error ? one.message : "").join(" ");
  const { code } = redactError(error);
  return /certificate|\btls\b|\bssl\b/i.test(text) || /CERT|TLS|SSL|SIGNED|VERIFY/.test(code ?? "")
    ? "tls"
    : "network";
}
