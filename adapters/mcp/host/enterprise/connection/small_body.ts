/**
 * Reads the body of a small answer at once. Handing a body on piece by piece costs several turns of the event loop, and
 * an answer that is whole needs nobody to watch it.
 *
 * `connection_gates.ts` hands every other body on.
 *
 * @module
 */

import { unlessAborted } from "../../../../async/unless_aborted.ts";

/** Longest body that is read at once, in bytes. */
const MOST_BYTES = 1 << 18;

/**
 * The same answer with its body read, where that is a JSON document that says to be small; `null`: it is not, and
 * nothing was read.
 *
 * `signal` is the one that the request was sent with. Rejects with its reason when it is aborted first, else as the
 * reading does.
 */
export async function readSmallBody(response: Response, signal: AbortSignal): Promise<Response | null> {
  const { body, status, statusText, headers } = response;
  const length = headers.get("content-length") ?? "";
  const isJson = /^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "");
  if (body === null || !isJson || !/^\d{1,6}$/.test(length) || Number(length) > MOST_BYTES) return null;
  // a length is that of the compressed body, which says nothing of what comes out
  if (headers.has("content-encoding")) return null;
  // `signal` went to `fetch` itself, so that the connection is let go too
  const bytes = await unlessAborted(() => response.arrayBuffer(), signal);
  return new Response(bytes, { status, statusText, headers });
}
