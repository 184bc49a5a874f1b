/**
 * A command's output on its way to this program's own: as it comes, and at the end what did not come. Output that
 * was on its way together with the result can be lost in an SDK; the result has all of it.
 *
 * @module
 */

import type { SandboxResult } from "../../sandbox/result.ts";

/** The two streams. */
export type OutputStream = "stdout" | "stderr";

/** Passes on the output of one command. */
export class StreamedOutput {
  readonly #write: (stream: OutputStream, bytes: Uint8Array) => void;
  readonly #passed = { stdout: new PassedText(), stderr: new PassedText() };

  /** Creates it; `write` gets every byte once, in order. */
  constructor(write: (stream: OutputStream, bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** Passes on a chunk that came while the command ran. */
  push(stream: OutputStream, chunk: Uint8Array): void {
    this.#passed[stream].push(chunk);
    this.#write(stream, chunk);
  }

  /** Passes on what of the result did not come before. */
  finish(result: Pick<SandboxResult, OutputStream>): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = this.#passed[stream].restOf(result[stream]);
      if (rest.length > 0) this.#write(stream, rest);
    }
  }
}

/** How much of a text has been passed on as bytes. */
class PassedText {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #bytes = 0;
  #units = 0;
  #wholeBytes = 0;

  push(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#bytes += chunk.length;
    this.#units += text.length;
    if (text !== "") this.#wholeBytes = this.#bytes - this.#pending(chunk);
  }

  /** The bytes of `text` after those that were passed on; the last of these may be a part of a character. */
  restOf(text: string): Uint8Array {
    return new TextEncoder().encode(text.slice(this.#units)).subarray(this.#bytes - this.#wholeBytes);
  }

  /** How many bytes at the end of `chunk` begin a character that they do not finish. */
  #pending(chunk: Uint8Array): number {
    for (let back = 1; back <= Math.min(3, chunk.length); back++) {
      const byte = chunk[chunk.length - back]!;
      if (byte < 0x80) return 0;
      if (byte < 0xc0) continue;
      return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    }
    return 0;
  }
}
