/**
 * The root of the project around a folder: that of the outermost repository, since one that lies in another belongs to
 * it. Otherwise a project could make its own files look like the user's by one more `.git` further down.
 *
 * What may be host policy there is decided in `layer_trust.ts`.
 *
 * @module
 */

import type { DiskPort } from "../../core/ports/disk.ts";
import { isInside } from "../../core/sandbox/path.ts";
import { folderOf, joinPath, resolvePath } from "../../core/sandbox/resolve_path.ts";
import { DISK } from "../disk.ts";
import type { TrustFacts } from "./layer_trust.ts";

/** Longest `.git` file that is read. */
const MAX_LINK_BYTES = 1 << 16;

/**
 * The root of the project: the outermost repository on the way up, else the nearest folder with anything named `.git`,
 * else the working directory itself. Further out only a repository counts, since sandboxes leave an empty `.git` where
 * none may be made. Below the home one that is the home, or lies around it, does not count where there is one further
 * down: who keeps the home in a repository works in many projects there.
 */
export async function projectRoot(
  directory: string,
  home: string,
  { disk = DISK }: Pick<TrustFacts, "disk"> = {},
): Promise<string> {
  const { platform } = disk;
  const named = resolvePath(home, { directory: disk.directory(), platform });
  const homes = [named, await disk.realPath(home).catch(() => named)]
    .filter((one) => isInside(directory, one, platform));
  let nearest: string | null = null;
  let outermost: string | null = null;
  for (let folder = directory;; folder = folderOf(folder, disk)) {
    const kind = await gitAt(folder, disk);
    if (kind !== null) nearest ??= folder;
    if (kind === "repository" && !homes.some((one) => isInside(one, folder, platform))) outermost = folder;
    if (folder === folderOf(folder, disk)) return outermost ?? nearest ?? directory;
  }
}

/** The folders from `root` down to `directory`. */
export function foldersBetween(
  root: string,
  directory: string,
  { platform }: Pick<DiskPort, "platform"> = DISK,
): readonly string[] {
  const folders = [directory];
  while (folders[0] !== undefined && folders[0] !== root) folders.unshift(folderOf(folders[0], { platform }));
  return folders;
}

/** What `.git` is in `folder`: a repository or a link to one, something else, or not there. */
async function gitAt(folder: string, disk: DiskPort): Promise<"repository" | "something" | null> {
  const path = joinPath(folder, ".git", disk);
  const facts = await disk.facts(path).catch(() => null);
  if (facts === null) return null;
  const whole = facts.kind === "file"
    ? facts.size < MAX_LINK_BYTES && await isLink(path, disk)
    : await disk.facts(joinPath(path, "HEAD", disk)).then(() => true, () => false);
  return whole ? "repository" : "something";
}

async function isLink(path: string, disk: DiskPort): Promise<boolean> {
  const bytes = await disk.read(path).catch(() => new Uint8Array());
  return new TextDecoder().decode(bytes).startsWith("gitdir:");
}
