/**
 * Reads what the servers of the soak write down, as it comes.
 *
 * @module
 */

import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Arrival } from "../../tests/fixtures/soak/arrival.ts";

/** Reads the files of one folder. */
export class LedgerReader {
  readonly #folder: string;
  readonly #read = new Map<string, number>();

  /** Nothing is read yet. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What has come since the last time. A line that is not whole yet comes the next time. */
  take(): readonly Arrival[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const file = join(this.#folder, name);
      const from = this.#read.get(file) ?? 0;
      const { size } = statSync(file);
      if (size === from) return [];
      const bytes = new Uint8Array(size - from);
      const handle = openSync(file, "r");
      const count = readSync(handle, bytes, 0, bytes.length, from);
      closeSync(handle);
      const whole = bytes.subarray(0, bytes.subarray(0, count).lastIndexOf(10) + 1);
      this.#read.set(file, from + whole.length);
      const lines = new TextDecoder().decode(whole).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as Arrival);
    });
  }
}
