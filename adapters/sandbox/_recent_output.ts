/**
 * The latest bytes of one stream that nobody has read yet, up to a cap.
 *
 * This file decides what is kept and what is dropped: of a process that runs on, the newest counts. Of one whose
 * output is read once, at its end, `_output.ts` keeps the oldest.
 *
 * @module
 */

/** Smallest allocation, so that tiny chunks do not grow the buffer each time. */
const FIRST_BYTES = 4096;

/** What was taken out. */
export interface TakenOutput {
  /**
   * The bytes as UTF-8, what is not replaced by U+FFFD. A character that is not complete yet stays for the next time.
   */
  readonly text: string;
  /** How many bytes were dropped ahead of these since the last time. */
  readonly dropped: number;
}

/** A ring of bytes that grows up to its cap. Chunks are copied, however they come. */
export class RecentOutput {
  readonly #maxBytes: number;
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #length = 0;
  #dropped = 0;

  /** Creates an empty ring that keeps `maxBytes` at most. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that wait to be taken. */
  get length(): number {
    return this.#length;
  }

  /** Adds `chunk`, in place of the oldest bytes where there is no room. */
  append(chunk: Uint8Array): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#maxBytes));
    const excess = Math.max(0, this.#length + kept.length - this.#maxBytes);
    this.#dropped += chunk.length - kept.length + excess;
    this.#length -= excess;
    this.#start += excess;
    this.#reserve(this.#length + kept.length);
    const size = this.#bytes.length;
    const end = size === 0 ? 0 : (this.#start + this.#length) % size;
    const first = kept.subarray(0, size - end);
    this.#bytes.set(first, end);
    this.#bytes.set(kept.subarray(first.length), 0);
    this.#length += kept.length;
  }

  /** Takes everything out; `final` when nothing can follow. */
  take({ final }: { readonly final: boolean }): TakenOutput {
    const text = this.#decoder.decode(this.#read(this.#length), { stream: !final });
    const dropped = this.#dropped;
    this.#bytes = new Uint8Array(0);
    this.#start = this.#length = this.#dropped = 0;
    return { text, dropped };
  }

  /** Makes room for `needed` bytes in all, which are no more than the cap. */
  #reserve(needed: number): void {
    const size = this.#bytes.length;
    if (needed <= size) return;
    const grown = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, FIRST_BYTES, size * 2)));
    grown.set(this.#read(this.#length));
    this.#bytes = grown;
    this.#start = 0;
  }

  /** The first `count` bytes in their order, as a copy. */
  #read(count: number): Uint8Array {
    const size = this.#bytes.length;
    const start = size === 0 ? 0 : this.#start % size;
    const first = this.#bytes.subarray(start, Math.min(size, start + count));
    const whole = new Uint8Array(count);
    whole.set(first);
    whole.set(this.#bytes.subarray(0, count - first.length), first.length);
    return whole;
  }
}
