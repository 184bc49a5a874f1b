/**
 * Gate: dependencies between folders go one way. No two folders of `core/` or `adapters/` need each other, not even
 * through others; what a `mod.ts` re-exports does not count. Who may import whom at all is decided in `graph.ts`.
 *
 * @module
 */

import type { Finding } from "./finding.ts";
import { folderOf, resolveRelative, scanImports } from "./imports.ts";
import { listFiles, readText } from "./tree.ts";

/** Which folder needs which others, and for each one of the imports that say so. */
type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Checks the folders of the tree at `root`. */
export function checkFolders(root: string): Finding[] {
  const graph = readGraph(root);
  const folders = [...graph.keys()].sort();
  const reached = new Map(folders.map((folder) => [folder, reachedFrom(graph, folder)]));
  const pairs = folders.flatMap((folder) =>
    [...graph.get(folder) ?? []]
      .filter(([other]) => reached.get(other)?.has(folder))
      .map(([other, where]) => ({ folder, other, where }))
  );
  return pairs.map(({ folder, other, where }) => ({
    where,
    what: `${folder}/ needs ${other}/, which needs ${folder}/`,
    fix: "move what both need into a folder of its own, or give the value as an argument",
  }));
}

function readGraph(root: string): FolderGraph {
  const graph = new Map<string, Map<string, string>>();
  const files = listFiles(root, ["core", "adapters"]);
  for (const path of files.filter((one) => one.endsWith(".ts") && !/(^|\/)mod\.ts$/.test(one))) {
    const folder = folderOf(path);
    const needed = graph.get(folder) ?? graph.set(folder, new Map()).get(folder)!;
    for (const { specifier, line } of scanImports(readText(root, path))) {
      const target = resolveRelative(path, specifier);
      const other = target === null ? folder : folderOf(target);
      if (other !== folder && !needed.has(other)) needed.set(other, `${path}:${line}`);
    }
  }
  return graph;
}

/** Every folder that `from` needs, directly or through others. */
function reachedFrom(graph: FolderGraph, from: string): ReadonlySet<string> {
  const reached = new Set(graph.get(from)?.keys());
  // a set that grows is walked to its new end
  for (const folder of reached) for (const other of graph.get(folder)?.keys() ?? []) reached.add(other);
  return reached;
}
