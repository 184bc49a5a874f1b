/**
 * The root of the project around a folder: that of the outermost repository, since one that lies in another belongs to
 * it. Otherwise a project could make its own files look like the user's by one more `.git` further down.
 *
 * What may be host policy there is decided in `layer_trust.ts`.
 *
 * @module
 */

import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isInside } from "./layer_trust.ts";

/** Longest `.git` file that is read. */
const MAX_LINK_BYTES = 1 << 16;

/**
 * The root of the project: the outermost repository on the way up, else the nearest folder with anything named `.git`,
 * else the working directory itself. Further out only a repository counts, since sandboxes leave an empty `.git` where
 * none may be made. Below the home one that is the home, or lies around it, does not count where there is one further
 * down: who keeps the home in a repository works in many projects there.
 */
export async function projectRoot(directory: string, home: string): Promise<string> {
  const homes = [resolve(home), await realpath(home).catch(() => resolve(home))]
    .filter((one) => isInside(directory, one));
  let nearest: string | null = null;
  let outermost: string | null = null;
  for (let folder = directory;; folder = dirname(folder)) {
    const kind = await gitAt(folder);
    if (kind !== null) nearest ??= folder;
    if (kind === "repository" && !homes.some((one) => isInside(one, folder))) outermost = folder;
    if (folder === dirname(folder)) return outermost ?? nearest ?? directory;
  }
}

/** The folders from `root` down to `directory`. */
export function foldersBetween(root: string, directory: string): readonly string[] {
  const folders = [directory];
  while (folders[0] !== undefined && folders[0] !== root) folders.unshift(dirname(folders[0]));
  return folders;
}

/** What `.git` is in `folder`: a repository or a link to one, something else, or not there. */
async function gitAt(folder: string): Promise<"repository" | "something" | null> {
  const path = join(folder, ".git");
  const facts = await stat(path).catch(() => null);
  if (facts === null) return null;
  const whole = facts.isFile()
    ? facts.size < MAX_LINK_BYTES && (await readFile(path, "utf8").catch(() => "")).startsWith("gitdir:")
    : await stat(join(path, "HEAD")).then(() => true, () => false);
  return whole ? "repository" : "something";
}
