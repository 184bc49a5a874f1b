/**
 * Ends the body of an answer when its request is aborted. `fetch` should do that by itself; some runtimes forget the
 * signal of a request that was answered once they collect garbage, and a stream would stay open for as long as the
 * server likes.
 *
 * @module
 */

/** The same answer; its body fails with the reason of `signal` when that is aborted, and its connection is let go. */
export function abortBody(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
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
        const { done, value } = await reader.read();
        if (signal.aborted) return; // it has failed already
        if (!done) return controller.enqueue(value);
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
