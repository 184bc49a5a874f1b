/**
 * Gate: the public surface is what was decided. Every export key leads to a file, modules re-export by name, and
 * the run-time names of `"."` and `"./sandbox"` equal the list in `tests/scripts/exports.json`.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { blank } from "./source_text.ts";
import { loadSurface } from "./surface.ts";
import { exists, lineAt, listFiles, readConfig, readText } from "./tree.ts";

const SNAPSHOT = "tests/scripts/exports.json";

/** Checks the export keys of the tree at `root`. */
export async function checkExports(root: string): Promise<Finding[]> {
  const missing = Object.entries(readConfig(root).exports)
    .filter(([, path]) => !exists(root, path))
    .map(([key, path]) => ({
      where: "deno.json",
      what: `"${key}" leads to ${path}, which is not there`,
      fix: "write the file or take out the key",
    }));
  const stars = listFiles(root, ["mod.ts", "core", "adapters"])
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => checkStars(path, readText(root, path)));
  if (missing.length > 0) return [...missing, ...stars];
  return [...stars, ...await checkSnapshot(root)];
}

function checkStars(path: string, text: string): Finding[] {
  const code = blank(text, { strings: true });
  return [...code.matchAll(/^[ \t]*export\s+(?:type\s+)?\*/gm)].map((match) => ({
    where: `${path}:${lineAt(code, match.index)}`,
    what: "exports everything of a module",
    fix: "name what is public: export { … } from",
  }));
}

async function checkSnapshot(root: string): Promise<Finding[]> {
  const surface = await loadSurface(root);
  const failures = Object.entries(surface).flatMap(([key, { failure }]) =>
    failure === null
      ? []
      : [{ where: "deno.json", what: `"${key}" cannot be imported: ${failure}`, fix: "correct the module" }]
  );
  if (failures.length > 0) return failures;
  const expected = JSON.parse(readText(root, SNAPSHOT) || "{}") as Readonly<
    Record<string, readonly string[]>
  >;
  return Object.entries(surface).filter(([key]) => key in expected || key === ".").flatMap(
    ([key, { names }]) => {
      const listed = expected[key] ?? [];
      return [
        ...names.filter((name) => !listed.includes(name)).map((name) => ({
          where: SNAPSHOT,
          what: `"${key}" exports ${name}, which is not listed`,
          fix: "add it to the list when it is meant to be public",
        })),
        ...listed.filter((name) => !names.includes(name)).map((name) => ({
          where: SNAPSHOT,
          what: `"${key}" no longer exports ${name}`,
          fix: "export it again, or take it off the list and say so in CHANGELOG.md",
        })),
      ];
    },
  );
}
