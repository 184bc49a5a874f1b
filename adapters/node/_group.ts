/**
 * Which processes of a group have not ended, as Linux tells it in `/proc`.
 *
 * This file reads; `core/process_stat.ts` decides what a line means, and `process.ts` when it is worth asking.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import { isLivingMember } from "../../core/process_stat.ts";

/**
 * The id of one living process of `group`, or `null` when all have ended. `hint`, the last answer, is looked at
 * first, so that a group which goes on costs one read. `undefined` where `/proc` cannot be read.
 */
export function findLivingMember(group: number, hint: number | null): number | null | undefined {
  if (hint !== null && isMember(hint, group)) return hint;
  let names: readonly string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return undefined; // Another system, or no permission.
  }
  const pids = names.map(Number).filter(Number.isInteger);
  return pids.find((pid) => isMember(pid, group)) ?? null;
}

function isMember(pid: number, group: number): boolean {
  try {
    return isLivingMember(readFileSync(`/proc/${pid}/stat`, "utf8"), group);
  } catch {
    return false; // It has ended since its name was read.
  }
}
