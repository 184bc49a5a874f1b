/**
 * Lines as the bytes that they are, with their ends: for a relay, which must pass on what came and not what it
 * means, and for `line_reader.ts`, which gives them as text.
 *
 * @module
 */

const LINE_FEED = 0x0a;

/** Puts chunks together to lines of bytes, in time linear in their bytes however they are split. */
export class ByteLines {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  /** Creates a reader that refuses lines of more than `maxBytes`, their ends included. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes a chunk and gives back the lines that it completes, each with its `\n`. Throws a `RangeError` for a line
   * that is too long.
   */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end + 1));
      lines.push(this.rest());
      start = end + 1;
    }
    // the chunk may be reused by whoever read it
    this.#keep(chunk.slice(start));
    return lines;
  }

  /** Takes out what no line end followed; empty when there is nothing. */
  rest(): Uint8Array {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#bytes = 0;
    return whole;
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      throw new RangeError(`Cannot take a message of more than ${this.#maxBytes} bytes`);
    }
    this.#parts.push(part);
  }
}
