/**
 * Reads a body piece by piece, with a buffer that grows with what comes. Deno holds a buffer of 64 KiB for each body
 * that is waited for, and a stream that says something once an hour is waited for all the time.
 *
 * @module
 */

/** A piece, or the end. */
export type ReadPiece =
  | { readonly done: false; readonly value: Uint8Array<ArrayBuffer> }
  | { readonly done: true };

/** Reads a body. */
export interface BodyReader {
  /** The next piece. */
  read(): Promise<ReadPiece>;
  /** Lets the body go. */
  cancel(reason: unknown): Promise<void>;
}

/** Size of the first buffer, and of the largest, in bytes. */
const FIRST = 1 << 10;
const LARGEST = 1 << 16;

/** A reader of `body`, which is locked from now on. */
export function readBody(body: ReadableStream<Uint8Array<ArrayBuffer>>): BodyReader {
  const reader = byteReader(body);
  if (reader === null) return defaultReader(body);
  let size = FIRST;
  return {
    read: async () => {
      const { done, value } = await reader.read(new Uint8Array(size));
      if (done) return { done };
      if (value.length === size) size = Math.min(size * 4, LARGEST);
      return { done, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** `null`: the body has no say in its buffers. */
function byteReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError && !body.locked) return null;
    throw error;
  }
}

function defaultReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): BodyReader {
  const reader = body.getReader();
  return {
    read: async () => {
      const { done, value } = await reader.read();
      return done ? { done } : { done, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
