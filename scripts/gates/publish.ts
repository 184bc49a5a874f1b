/**
 * Gate: the package can be published, and holds no tests and no scripts.
 *
 * @module
 */

import { runDeno } from "../command.ts";
import type { Finding } from "./finding.ts";

/** The files that a package of this repository may hold. */
const PUBLISHED = /^(?:mod\.ts|core\/.*\.ts|adapters\/.*\.ts|deno\.json|README\.md|CHANGELOG\.md|LICENSE)$/;

/** Checks the package of the tree at `root`, without publishing it. */
export async function checkPublish(root: string): Promise<Finding[]> {
  const result = await runDeno(["publish", "--dry-run", "--allow-dirty"], { directory: root });
  if (result.code !== 0) {
    return [{
      where: "deno.json",
      what: `cannot be published: ${result.output.trim().slice(-3000)}`,
      fix: "follow the hint above",
    }];
  }
  const base = `file://${await Deno.realPath(root)}/`;
  const files = [...result.output.matchAll(/^\s+(file:\/\/\S+) \(/gm)].map((match) =>
    decodeURI(match[1] ?? "").replace(base, "")
  );
  if (files.length === 0) {
    return [{ where: "deno.json", what: "publishes no file", fix: "correct publish.include" }];
  }
  return files.filter((path) => !PUBLISHED.test(path)).map((path) => ({
    where: path,
    what: "would be published",
    fix: "keep publish.include to the package: mod.ts, core, adapters and its documents",
  }));
}
