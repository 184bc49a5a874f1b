/**
 * Transports and clocks for the tests of this folder: a port that answers by a function, and answers to give.
 *
 * @module
 */

import type { ClockPort } from "../../../core/ports/clock.ts";
import type { HttpOptions, HttpPort, HttpRequest, HttpResponse } from "../../../core/ports/http.ts";

/** A transport that keeps what it was asked. */
export interface TestHttp extends HttpPort {
  /** The requests, in order. */
  readonly requests: HttpRequest[];
}

/** A transport that answers with `answer`. */
export function testHttp(
  answer: (request: HttpRequest, options: HttpOptions) => HttpResponse | Promise<HttpResponse>,
): TestHttp {
  const requests: HttpRequest[] = [];
  return {
    requests,
    send: async (request, options) => {
      requests.push(request);
      return await answer(request, options);
    },
  };
}

/** Header fields by name. */
export type Fields = Readonly<Record<string, string>>;

/** An answer with a text. */
export function textAnswer(body: string, status: number = 200, fields: Fields = {}): HttpResponse {
  return { status, headers: Object.entries(fields), body: new TextEncoder().encode(body) };
}

/** An answer with a JSON document. */
export function jsonAnswer(document: unknown, status: number = 200, fields: Fields = {}): HttpResponse {
  return textAnswer(JSON.stringify(document), status, { "content-type": "application/json", ...fields });
}

/** A clock that stands still until someone sleeps. */
export interface TestClock extends ClockPort {
  /** Seconds that were slept, in order. */
  readonly slept: number[];
  /** Lets time pass. */
  pass(seconds: number): void;
}

/** A clock at `now`, epoch seconds. */
export function testClock(now: number = 1_800_000_000): TestClock {
  let time = now;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    pass: (seconds) => void (time += seconds),
    sleep: (seconds, signal) => {
      slept.push(seconds);
      time += seconds;
      return Promise.resolve(signal?.aborted !== true);
    },
  };
}

/** A signal that nobody aborts. */
export function noSignal(): AbortSignal {
  return new AbortController().signal;
}
