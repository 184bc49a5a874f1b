/**
 * Gate: the package can be published, and holds no tests and no scripts.
 *
 * The stand-ins that `links` names lie in the repository, so Deno would take them for modules of the package that its
 * configuration leaves out. The gate therefore looks at a copy of the package whose stand-ins lie beside it.
 *
 * @module
 */

import { cpSync } from "node:fs";
import { join } from "node:path";
import { runDeno } from "../command.ts";
import type { Finding } from "./finding.ts";
import { type PackageConfig, readConfig } from "./tree.ts";

/** The files that a package of this repository may hold. */
const PUBLISHED = /^(?:mod\.ts|core\/.*\.ts|adapters\/.*\.ts|deno\.json|README\.md|CHANGELOG\.md|LICENSE)$/;

/** Checks the package of the tree at `root`, without publishing it. */
export async function checkPublish(root: string): Promise<Finding[]> {
  const stage = await Deno.realPath(Deno.makeTempDirSync());
  try {
    return await checkStaged(stagePackage(root, stage));
  } finally {
    Deno.removeSync(stage, { recursive: true });
  }
}

/** Copies the tree into `stage`, its stand-ins beside it, and gives back the folder of the package. */
function stagePackage(root: string, stage: string): string {
  const config = readConfig(root) as PackageConfig & { readonly links?: readonly string[] };
  const links = config.links ?? [];
  const target = join(stage, "package");
  cpSync(root, target, { recursive: true, filter: (path) => !/[/\\](?:\.git|node_modules)$/.test(path) });
  const moved = links.map((link, index) => {
    cpSync(join(root, link), join(stage, `link-${index}`), { recursive: true });
    Deno.removeSync(join(target, link), { recursive: true });
    return `../link-${index}`;
  });
  if (links.length > 0) {
    Deno.writeTextFileSync(join(target, "deno.json"), JSON.stringify({ ...config, links: moved }));
  }
  return target;
}

async function checkStaged(root: string): Promise<Finding[]> {
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
