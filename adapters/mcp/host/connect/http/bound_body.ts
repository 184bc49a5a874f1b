/**
 * A bound on what is read of an HTTP answer: a document as a whole, a stream of events one event at a time, since it
 * may last for days.
 *
 * WHATWG HTML, "Interpreting an event stream": a line ends with CR, LF or both.
 *
 * @module
 */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Whether `response` is a stream of events. */
export function isEventStream({ headers }: Pick<Response, "headers">): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

/** `response` with a body that fails after `maxBytes` of one document, or of one event. */
export function boundBody(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const events = isEventStream(response);
  let bytes = 0;
  let lineBytes = 0;
  let returned = false;
  let ended = false;
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (!events) return;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const secondHalf = byte === LINE_FEED && returned;
      returned = byte === CARRIAGE_RETURN;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        lineBytes += 1;
        continue;
      }
      // an empty line ends an event
      if (!secondHalf) ended = lineBytes === 0;
      if (ended) bytes = chunk.length - at - 1;
      lineBytes = 0;
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
