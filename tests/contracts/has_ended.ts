/**
 * Whether a process is gone, as the system tells it.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";

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
