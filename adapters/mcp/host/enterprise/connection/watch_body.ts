/**
 * Tells when the body of an answer was read to its end, cancelled or broken.
 *
 * @module
 */

/** The same answer; `over` is called once, when nothing more of it comes. */
export function watchBody(response: Response, over: () => void): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    over();
    return response;
  }
  const reader = body.getReader();
  let told = false;
  const tell = (): void => {
    if (!told) over();
    told = true;
  };
  const watched = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      tell();
    },
    cancel: (reason) => {
      tell();
      return reader.cancel(reason);
    },
  });
  return new Response(watched, { status, statusText, headers });
}
