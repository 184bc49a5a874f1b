/**
 * The streams of a child, as `process.ts` reads them and lets go of them.
 *
 * @module
 */

import type { Readable, Writable } from "node:stream";

/** What `stream` holds, pulled one chunk at a time; nothing when the stream is inherited. */
export function readChunks(stream: Readable | null): AsyncIterable<Uint8Array> {
  // A listener from the start keeps Node from throwing away what nobody has read when the child ends.
  stream?.on("readable", ignore).on("error", ignore);
  return pull(stream);
}

async function* pull(stream: Readable | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  try {
    for await (const chunk of stream) yield chunk;
  } catch {
    return; // The pipe broke or was released: nothing more will come.
  }
}

/** The pipes of a child are sockets, which the types of Node do not say. */
export function unrefStream(stream: Readable | Writable | null | undefined): void {
  if (stream && "unref" in stream && typeof stream.unref === "function") stream.unref();
}

/** For events whose content says nothing that is not known otherwise. */
function ignore(): void {}
