/**
 * The HTTP port: one request, one answer, nothing clever between them.
 *
 * This file decides the shapes only. An implementation follows no redirect, keeps no cookie and adds no
 * credential; it reads at most the given number of bytes. What may be sent where is decided in
 * `core/enterprise/url.ts`, what an answer means in the files beside it.
 *
 * @module
 */

/** One request. */
export interface HttpRequest {
  /** The method, in capitals. */
  readonly method: "GET" | "POST";
  /** The exact URL. */
  readonly url: string;
  /** Header fields in order, names as they are sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; absent: none. */
  readonly body?: string;
}

/** One answer, a redirect being one like any other. */
export interface HttpResponse {
  /** The status code. */
  readonly status: number;
  /** Header fields in order, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, or `null` when it is longer than what was allowed. */
  readonly body: Uint8Array | null;
}

/** How far a request may go. */
export interface HttpOptions {
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
  /** How many bytes of a body are read at most. */
  readonly maxBytes: number;
}

/** Sends requests. */
export interface HttpPort {
  /**
   * Sends `request` and reads the answer whole. Any status is an answer.
   *
   * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when there is no answer: network, TLS or `signal`.
   */
  send(request: HttpRequest, options: HttpOptions): Promise<HttpResponse>;
}
