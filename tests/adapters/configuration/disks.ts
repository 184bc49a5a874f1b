/**
 * The disk by every port that this runtime has, by name: what is read must not depend on it.
 *
 * @module
 */

import { createDisk } from "../../../adapters/deno/disk.ts";
import { DISK } from "../../../adapters/disk.ts";
import type { DiskPort } from "../../../core/ports/disk.ts";

/** The ports. */
export const DISKS: ReadonlyMap<string, DiskPort> = new Map([
  ["Node's functions", DISK],
  ...("Deno" in globalThis ? [["Deno", createDisk()] as const] : []),
]);
