/**
 * What an answer holds: a JSON document under a JSON media type, or nothing that can be used. Its headers are read
 * here too: `Date`, which tells how far our clock is off, and `Retry-After`.
 *
 * What a document must say is decided in `core/enterprise`. RFC 8259, 8.1; RFC 6839, 3.1; RFC 9110, 5.6.7 and 10.2.3.
 *
 * @module
 */

import type { HttpResponse } from "../../../core/ports/http.ts";

/** What a body is. */
export type BodyKind =
  /** A JSON text under a JSON media type. */
  | "json"
  /** Nothing at all. */
  | "empty"
  /** Longer than what is read. */
  | "too-long"
  /** Another media type, a page for people most of the time. */
  | "not-json"
  /** No JSON text, in spite of its media type. */
  | "malformed";

/** The body of an answer. */
export interface JsonDocument {
  /** What it is. */
  readonly kind: BodyKind;
  /** The parsed value; `undefined` unless it is JSON. */
  readonly value: unknown;
}

/** Reads the body of `response` as JSON. */
export function readDocument(response: HttpResponse): JsonDocument {
  const { body } = response;
  if (body === null) return { kind: "too-long", value: undefined };
  if (body.length === 0) return { kind: "empty", value: undefined };
  if (!isJsonType(headerOf(response, "content-type"))) return { kind: "not-json", value: undefined };
  const value = readJsonText(body);
  return value === undefined ? { kind: "malformed", value } : { kind: "json", value };
}

/** The JSON value that `body` is the text of, whatever its media type; `undefined` when it is none. */
export function readJsonText(body: Uint8Array | null): unknown {
  if (body === null) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    // TypeError: no UTF-8. RangeError: nested too deep for the runtime's parser.
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** Whether a media type is JSON: `application/json`, or one that ends in `+json`. */
export function isJsonType(value: string | null): boolean {
  const type = (value ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || /^application\/[\w.!#$&^+-]+\+json$/.test(type);
}

/** The first header of that name (in lower case); `null` when there is none. */
export function headerOf({ headers }: Pick<HttpResponse, "headers">, name: string): string | null {
  return headers.find(([one]) => one === name)?.[1] ?? null;
}

/** The `Date` of an answer, epoch seconds; `null` when it has none that can be read. */
export function serverTime(response: Pick<HttpResponse, "headers">): number | null {
  return timeOf(headerOf(response, "date"));
}

/**
 * After how many seconds the server wants to be asked again, 0 at least; `null` when it does not say. A point in time
 * is counted from the server's own `Date`, else from `now` (epoch seconds).
 */
export function retryAfter(response: Pick<HttpResponse, "headers">, now: number): number | null {
  const value = headerOf(response, "retry-after")?.trim() ?? "";
  if (/^\d{1,10}$/.test(value)) return Number(value);
  const time = timeOf(value);
  return time === null ? null : Math.max(0, time - (serverTime(response) ?? now));
}

function timeOf(value: string | null): number | null {
  // Date.parse reads a lot more than an HTTP date.
  if (value === null || !/^[A-Z][a-z]{2,8},? .*GMT$/.test(value)) return null;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}
