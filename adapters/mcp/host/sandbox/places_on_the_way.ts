/**
 * The places that a path leads through: itself, and for each symbolic link on the way, where that stands and where it
 * points. Whoever can write to one of them can make the path lead elsewhere.
 *
 * @module
 */

import { readlink } from "node:fs/promises";
import { posix, win32 } from "node:path";
import type { Platform } from "../../../../core/sandbox/path.ts";

/** Links that are followed. A system follows about as many. */
const MAX_LINKS = 40;

/** The absolute paths that `path` leads through, in their order, each once. What is not there leads nowhere. */
export async function placesOnTheWay(
  path: string,
  { platform }: { readonly platform: Platform },
): Promise<readonly string[]> {
  const { resolve, parse, dirname, join, sep } = platform === "windows" ? win32 : posix;
  const places = new Set<string>();
  let links = 0;
  const follow = async (given: string): Promise<void> => {
    const whole = resolve(given);
    if (places.has(whole)) return;
    places.add(whole);
    const { root } = parse(whole);
    let at = root;
    const names = whole.slice(root.length).split(sep).filter((name) => name !== "");
    for (const [index, name] of names.entries()) {
      at = join(at, name);
      const target = await readlink(at).catch(() => null); // no link, or not there
      if (target === null) continue;
      places.add(at);
      links += 1;
      if (links > MAX_LINKS) return;
      return await follow(join(resolve(dirname(at), target), ...names.slice(index + 1)));
    }
  };
  await follow(path);
  return [...places];
}
