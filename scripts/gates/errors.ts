/**
 * Gate: every exported error extends `CodexMcpError`, carries its code and calls itself by its own name.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { loadSurface } from "./surface.ts";
import { readConfig } from "./tree.ts";

/** Checks the exported error classes of the tree at `root`. */
export async function checkErrors(root: string): Promise<Finding[]> {
  const { exports } = readConfig(root);
  const surface = await loadSurface(root);
  return Object.entries(surface).flatMap(([key, { errorFaults, failure }]) => {
    const where = exports[key] ?? key;
    const faults = errorFaults.map((what) => ({
      where,
      what,
      fix: "extend CodexMcpError with a closed union of codes, and set `name`",
    }));
    return failure === null
      ? faults
      : [...faults, { where, what: `cannot be imported: ${failure}`, fix: "correct the module" }];
  });
}
