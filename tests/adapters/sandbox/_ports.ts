/**
 * The process ports that work in the runtime at hand, and what the cases of this folder ask of the system.
 *
 * @module
 */

import { createProcesses as createDenoProcesses } from "../../../adapters/deno/mod.ts";
import { createProcesses as createNodeProcesses } from "../../../adapters/node/mod.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";

/** The ports by name: both under Deno, which has `node:child_process` too. */
export const ports: ReadonlyMap<string, ProcessPort> = new Map([
  ...("Deno" in globalThis ? [["Deno", createDenoProcesses()] as const] : []),
  ["Node", createNodeProcesses()] as const,
]);

/** Waits until `condition` holds; the case's own limit ends a wait in vain. */
export async function pollUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
