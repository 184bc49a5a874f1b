/**
 * A bound on what is read of an HTTP answer: a document as a whole, a stream of events one event at a time, since it
 * may last for days.
 *
 * @module
 */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** `response` with a body that fails after `maxBytes` of one document, or of one event. */
export function boundBody(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const events = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  let bytes = 0;
  let lineBytes = 0;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (!events) return;
    for (let at = 0; at < chunk.length; at += 1) {
      if (chunk[at] === LINE_FEED) {
        // an empty line ends an event
        if (lineBytes === 0) bytes = chunk.length - at - 1;
        lineBytes = 0;
      } else if (chunk[at] !== CARRIAGE_RETURN) lineBytes += 1;
    }
  };
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      count(chunk);
      if (bytes <= maxBytes) controller.enqueue(chunk);
      else controller.error(new Error(`Cannot read an answer of more than ${maxBytes} bytes`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}
