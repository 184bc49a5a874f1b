/**
 * Lines as text: what a stdio transport reads messages from. `byte_lines.ts` cuts them.
 *
 * @module
 */

import { ByteLines } from "./byte_lines.ts";

/** Puts chunks together to lines of UTF-8 text. */
export class LineReader {
  readonly #lines: ByteLines;

  /** Creates a reader that refuses lines of more than `maxBytes`, their ends included. */
  constructor(maxBytes: number) {
    this.#lines = new ByteLines(maxBytes);
  }

  /**
   * Takes a chunk and gives back the lines that it completes, without their ends (`\n` or `\r\n`) and without
   * empty ones. Throws a `TypeError` for a line that is not UTF-8 and a `RangeError` for one that is too long.
   */
  push(chunk: Uint8Array): readonly string[] {
    return this.#lines.push(chunk).map(readLine).filter((line) => line !== "");
  }
}

function readLine(line: Uint8Array): string {
  const end = line.at(-2) === 0x0d ? -2 : -1;
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line.subarray(0, end));
}
