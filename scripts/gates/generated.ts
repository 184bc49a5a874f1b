/**
 * Gate: what scripts write into the documentation is up to date. `scripts/docs/generated.ts` says which files those
 * are.
 *
 * @module
 */

import { GENERATED, renderFile } from "../docs/generated.ts";
import type { Finding } from "./finding.ts";
import { readText } from "./tree.ts";

/** Compares the generated files of the tree at `root` with what this repository's sources make. */
export async function checkGenerated(root: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of Object.keys(GENERATED)) {
    if (readText(root, path) === await renderFile(path)) continue;
    findings.push({ where: path, what: "is not up to date", fix: "run: deno task docs:write" });
  }
  return findings;
}
