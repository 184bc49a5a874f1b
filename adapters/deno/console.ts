/**
 * The streams of this process by Deno's own functions, which write at once.
 *
 * What a command line needs of them is decided in `adapters/cli/terminal/console.ts`.
 *
 * @module
 */

import type { CliConsole, OutputWatch, StreamName } from "../cli/terminal/console.ts";
import { readCode } from "../spawn_error.ts";

/** Creates it. Permissions: `--allow-env` for the variables that are read. */
export function createConsole(): CliConsole {
  let failure: string | undefined;
  const watch: OutputWatch = { settle: () => Promise.resolve(), failure: () => failure };
  return {
    write: (name, data) => {
      try {
        writeAll(name, typeof data === "string" ? new TextEncoder().encode(data) : data);
      } catch (error) {
        if (name === "stdout") {
          failure ??= readCode(error) || (error instanceof Error ? error.name : "UNKNOWN");
        }
      }
    },
    isTerminal: (name) => Deno[name].isTerminal(),
    variable: (name) => Deno.env.get(name),
    watch: () => watch,
  };
}

function writeAll(name: StreamName, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += Deno[name].writeSync(bytes.subarray(written));
  }
}
