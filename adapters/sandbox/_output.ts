/**
 * The bytes of one stream, up to a cap.
 *
 * This file decides what is kept and what is dropped. Reading on beyond the cap is `run.ts`'s.
 *
 * @module
 */

/** Smallest allocation, so that tiny chunks do not grow the buffer each time. */
const FIRST_BYTES = 4096;

/**
 * Collects bytes into one growing buffer. Chunks are copied: a runtime may hand out one byte inside a buffer of
 * 64 KiB, and keeping such chunks would hold a multiple of the cap.
 */
export class OutputBuffer {
  readonly #maxBytes: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;
  #truncated = false;

  /** Creates an empty buffer that keeps `maxBytes` at most. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether bytes were dropped. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Adds `chunk`; returns the part of it that was kept, a view of `chunk`. */
  append(chunk: Uint8Array): Uint8Array {
    const kept = chunk.subarray(0, Math.max(0, this.#maxBytes - this.#length));
    if (kept.length < chunk.length) this.#truncated = true;
    const needed = this.#length + kept.length;
    if (needed > this.#bytes.length) {
      const size = Math.min(this.#maxBytes, Math.max(needed, FIRST_BYTES, this.#bytes.length * 2));
      const grown = new Uint8Array(size);
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(kept, this.#length);
    this.#length = needed;
    return kept;
  }

  /** What was kept, as a copy of its own. */
  read(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
