/**
 * Processes by a mark in their command line, wherever a sandbox has put them.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";

/** Ids of the living processes whose command line holds `mark`. */
export function marked(mark: string): readonly number[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && commandLine(name).includes(mark)).map(
    Number,
  );
}

/** Waits until no process holds `mark`; the limit of the case ends a wait in vain. */
export async function untilNone(mark: string): Promise<void> {
  while (marked(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** One that has just ended has none. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
