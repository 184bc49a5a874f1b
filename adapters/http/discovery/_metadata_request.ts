/**
 * One GET for one discovery document, without any credential: redirects are followed as far as they may be, the answer
 * is a document, nothing, something else, or an outage.
 *
 * Where a redirect may lead is decided in `core/enterprise/discovery/redirect.ts`; several places and repetition are
 * `_metadata_search.ts`'s. RFC 8414, 3.2; RFC 9728, 3.2; RFC 9110, 15.
 *
 * @module
 */

import { redirectTarget } from "../../../core/enterprise/discovery/redirect.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { quoteUrl } from "../../../core/enterprise/url.ts";
import type { Refusal } from "../../../core/enterprise/verdict.ts";
import type { HttpPort, HttpResponse } from "../../../core/ports/http.ts";
import { withinSeconds } from "../../async/deadline.ts";
import { type BodyKind, headerOf, readDocument, retryAfter } from "../transport/document.ts";
import { MAX_DOCUMENT_BYTES } from "../transport/http.ts";

/** Why what is at a place is no document. */
export type PlaceReason = "redirected" | "not-json" | "too-long" | "malformed";

/** What is at a place. */
export type PlaceAnswer =
  /** A JSON document, and the headers that say how long it may be kept. */
  | { readonly kind: "document"; readonly document: unknown; readonly response: HttpResponse }
  /** The document that is kept is still the right one. */
  | { readonly kind: "unchanged"; readonly response: HttpResponse }
  /** Nothing. */
  | { readonly kind: "absent" }
  /** Something that is no document. */
  | { readonly kind: "flawed"; readonly refusal: Refusal<PlaceReason> }
  /** No answer now; `retryAfter` in seconds, `null` when not said. `again`: asking again soon may help. */
  | {
    readonly kind: "unavailable";
    readonly error: EnterpriseError;
    readonly retryAfter: number | null;
    readonly again: boolean;
  };

/** How a place is asked. */
export interface PlaceOptions {
  /** The transport. */
  readonly http: HttpPort;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** After how many seconds the place is given up. */
  readonly seconds: number;
  /** Validator of the document that is kept; `null`: none is. */
  readonly etag: string | null;
  /** Epoch seconds. */
  readonly now: number;
}

/**
 * Asks the place `url`.
 *
 * @throws {EnterpriseError} `CONFIGURATION_REFUSED` when certificate checks are switched off.
 * @throws {EnterpriseError} `URL_REFUSED` when the address breaks the rules.
 */
export async function askPlace(url: string, options: PlaceOptions): Promise<PlaceAnswer> {
  return await withinSeconds((signal) => ask(url, { ...options, signal }), options);
}

async function ask(url: string, { http, signal, etag, now }: PlaceOptions): Promise<PlaceAnswer> {
  // No header that a browser would ask for first, unless a validator makes the answer small.
  const headers: [string, string][] = [["accept", "application/json"]];
  if (etag !== null) headers.push(["if-none-match", etag]);
  let place = url;
  for (let followed = 0;; followed += 1) {
    let response: HttpResponse;
    try {
      const request = { method: "GET", url: place, headers } as const;
      response = await http.send(request, { signal, maxBytes: MAX_DOCUMENT_BYTES });
    } catch (error) {
      return noAnswer(error);
    }
    if (response.status === 304 && etag !== null) return { kind: "unchanged", response };
    if (response.status < 300 || response.status > 399) return read(response, { url, now });
    const target = redirectTarget({ from: place, location: headerOf(response, "location"), followed });
    if (target === null) return flawed("redirected", url);
    place = target;
  }
}

function noAnswer(error: unknown): PlaceAnswer {
  if (!(error instanceof EnterpriseError) || error.code !== "TEMPORARILY_UNAVAILABLE") throw error;
  return { kind: "unavailable", error, retryAfter: null, again: error.reason === "network" };
}

function read(
  response: HttpResponse,
  { url, now }: { readonly url: string; readonly now: number },
): PlaceAnswer {
  const { status } = response;
  if ([408, 425, 429].includes(status) || status >= 500) {
    const message = `Cannot read ${quoteUrl(url)}: it answered ${status}`;
    const error = new EnterpriseError("TEMPORARILY_UNAVAILABLE", message, { reason: "status" });
    return { kind: "unavailable", error, retryAfter: retryAfter(response, now), again: true };
  }
  if (status !== 200) return { kind: "absent" };
  const { kind, value } = readDocument(response);
  return kind === "json" ? { kind: "document", document: value, response } : flawed(REASONS[kind], url);
}

const REASONS: Readonly<Record<Exclude<BodyKind, "json">, PlaceReason>> = {
  "empty": "malformed",
  "malformed": "malformed",
  "too-long": "too-long",
  "not-json": "not-json",
};

const STATES: Readonly<Record<PlaceReason, string>> = {
  "redirected": "it redirects to another origin or too often. This may be the address of people, " +
    "not of the server itself",
  "not-json":
    "it is a page, not a JSON document. This may be the address of people, not of the server itself",
  "too-long": `it is longer than ${MAX_DOCUMENT_BYTES} bytes`,
  "malformed": "it is no JSON text",
};

function flawed(reason: PlaceReason, url: string): PlaceAnswer {
  const message = `Cannot use the document at ${quoteUrl(url)}: ${STATES[reason]}`;
  return { kind: "flawed", refusal: { reason, section: "RFC 8414, 3.2", message } };
}
