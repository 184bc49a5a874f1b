/**
 * Ends the body of an answer when its request is aborted. `fetch` should do that by itself; some runtimes forget the
 * signal of a request that was answered once they collect garbage, and a stream would stay open for as long as the
 * server likes.
 *
 * @module
 */

import { readBody } from "./body_reader.ts";

/** The same answer; its body fails with the reason of `signal` when that is aborted, and its connection is let go. */
export function abortBody(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = readBody(body);
  let stop = (): void => {};
  const ended = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      const abort = (): void => {
        stop();
        controller.error(signal.reason);
        reader.cancel(signal.reason).catch(() => {}); // it may have failed for the same reason
      };
      stop = () => signal.removeEventListener("abort", abort);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort);
    },
    pull: async (controller) => {
      try {
        const piece = await reader.read();
        if (signal.aborted) return; // it has failed already
        if (!piece.done) return controller.enqueue(piece.value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      stop();
    },
    cancel: (reason) => {
      stop();
      return reader.cancel(reason);
    },
  });
  return new Response(ended, { status, statusText, headers });
}
