/**
 * Lines from chunks: what a stdio transport reads messages from.
 *
 * @module
 */

const LINE_FEED = 0x0a;

/** Puts chunks together to lines of UTF-8 text, in time linear in their bytes however they are split. */
export class LineReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  /** Creates a reader that refuses lines of more than `maxBytes`. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes a chunk and gives back the lines that it completes, without their ends (`\n` or `\r\n`) and without
   * empty ones. Throws a `TypeError` for a line that is not UTF-8 and a `RangeError` for one that is too long.
   */
  push(chunk: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = this.#take();
      if (line !== "") lines.push(line);
      start = end + 1;
    }
    // the chunk may be reused by whoever read it
    this.#keep(chunk.slice(start));
    return lines;
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      throw new RangeError(`Cannot read a message of more than ${this.#maxBytes} bytes`);
    }
    this.#parts.push(part);
  }

  #take(): string {
    let whole = this.#parts[0] ?? new Uint8Array();
    if (this.#parts.length > 1) {
      whole = new Uint8Array(this.#bytes);
      let at = 0;
      for (const part of this.#parts) {
        whole.set(part, at);
        at += part.length;
      }
    }
    this.#parts = [];
    this.#bytes = 0;
    const line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(whole);
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}
