/**
 * Reads the body of a response as a stream, never further than a limit, and never longer than a signal allows. What
 * comes compressed is counted as it comes out.
 *
 * How the request is sent is decided in `http.ts`; what the bytes mean in `document.ts`.
 *
 * @module
 */

import type { HttpOptions } from "../../../core/ports/http.ts";

/** The whole body, empty when there is none; `null` when it is longer than `maxBytes`. Rejects when `signal` aborts. */
export async function readCapped(
  response: Response,
  { signal, maxBytes }: HttpOptions,
): Promise<Uint8Array | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  // A cancelled stream ends the pending read, in every runtime.
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (true) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return joined(chunks, length);
      length += value.length;
      if (length > maxBytes) {
        stop();
        return null;
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
