/**
 * What lies in the kernel's keyring, where nothing of this package may ever be.
 *
 * @module
 */

import { readFileSync } from "node:fs";

/**
 * The keys that this user may see whose name holds `name`. The native module would call them
 * `keyring:<account>@<service>`.
 */
export function kernelKeys(name: string): readonly string[] {
  const lines = readFileSync("/proc/keys", "utf8").split("\n");
  if (!lines.some((line) => line.includes("keyring"))) throw new Error("the kernel shows no keyring at all");
  return lines.filter((line) => line.includes(name));
}
