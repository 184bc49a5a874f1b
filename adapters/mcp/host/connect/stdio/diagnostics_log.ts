/**
 * What a server writes to standard error: the end of it, bounded, and safe for a terminal when it is read.
 *
 * @module
 */

import { terminalText } from "../../../../terminal_text.ts";

/** Bytes that are kept. */
const MAX_BYTES = 65_536;

/** Keeps the last bytes of what is pushed. */
export class DiagnosticsLog {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #cut = false;

  /** Creates an empty log of at most `maxBytes`. */
  constructor(maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk. It is copied: whoever read it may use it again. */
  push(chunk: Uint8Array): void {
    const kept = chunk.slice(-this.#maxBytes);
    this.#cut ||= kept.length < chunk.length;
    this.#chunks.push(kept);
    this.#bytes += kept.length;
    for (
      let first = this.#chunks[0];
      first !== undefined && this.#bytes > this.#maxBytes;
      first = this.#chunks[0]
    ) {
      const over = this.#bytes - this.#maxBytes;
      if (first.length > over) this.#chunks[0] = first.slice(over);
      else this.#chunks.shift();
      this.#bytes -= Math.min(first.length, over);
      this.#cut = true;
    }
    // many small chunks would cost more than their bytes
    if (this.#chunks.length > 256) this.#chunks.splice(0, this.#chunks.length, this.#joined());
  }

  /**
   * The text, without its first line when that was cut and something stands after it. Bytes that are no UTF-8 show as
   * U+FFFD, control characters and those that change the direction of writing as `\u001b` and the like; a carriage
   * return before a line end is left out.
   */
  text(): string {
    const whole = new TextDecoder().decode(this.#joined());
    const after = this.#cut ? whole.slice(whole.indexOf("\n") + 1) : whole;
    const lines = after.trim() === "" ? whole : after;
    return terminalText(lines, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  #joined(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}
