/**
 * The process ports that work in the runtime at hand, and what the cases of this folder ask of the system.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import { createProcesses as createDenoProcesses } from "../../../adapters/deno/mod.ts";
import { createProcesses as createNodeProcesses } from "../../../adapters/node/mod.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";

/** The ports by name: both under Deno, which has `node:child_process` too. */
export const ports: ReadonlyMap<string, ProcessPort> = new Map([
  ...("Deno" in globalThis ? [["Deno", createDenoProcesses()] as const] : []),
  ["Node", createNodeProcesses()] as const,
]);

/** Whether `pid` has ended. One that nobody reaps has, as far as the system tells. */
export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until `condition` holds; the case's own limit ends a wait in vain. */
export async function pollUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
