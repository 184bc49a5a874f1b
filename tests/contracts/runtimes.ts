/**
 * The runtimes whose adapters work in the process at hand: both under Deno, which has Node's modules too, and Node's
 * alone under Node.
 *
 * @module
 */

import * as deno from "../../adapters/deno/mod.ts";
import * as node from "../../adapters/node/mod.ts";
import type { FilePort } from "../../core/ports/file.ts";
import type { ProcessPort } from "../../core/ports/process.ts";

/** The ports of one runtime. */
export interface Runtime {
  /** What the cases are called. */
  readonly name: string;
  /** Starts processes. */
  readonly processes: ProcessPort;
  /** Looks at files. */
  readonly files: FilePort;
}

/** Those that work here. */
export const RUNTIMES: readonly Runtime[] = [
  ...("Deno" in globalThis
    ? [{ name: "Deno", processes: deno.createProcesses(), files: deno.createFiles() }]
    : []),
  { name: "Node", processes: node.createProcesses(), files: node.createFiles() },
];
