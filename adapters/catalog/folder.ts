/**
 * The folder of the catalogs: where it is, and making it the user's alone. What lies in it tells a host which tools a
 * server has, so nobody else may write there.
 *
 * What lies in it is decided in `file_store.ts`. XDG Base Directory Specification 0.8 for Linux. Needs
 * `--allow-read` and `--allow-write` for the folder.
 *
 * @module
 */

import { chmod, lstat, mkdir } from "node:fs/promises";

/** What the place of the folder depends on. */
export interface CatalogFolderFacts {
  /** The platform; every Unix but macOS counts as Linux. */
  readonly platform: "linux" | "darwin" | "windows" | "other";
  /** The value of an environment variable; `undefined`: not set. */
  readonly variable: (name: string) => string | undefined;
}

/**
 * Where the folder is: `$XDG_CACHE_HOME/codex-mcp/catalog`, else `~/.cache/codex-mcp/catalog`; on macOS
 * `~/Library/Caches/codex-mcp/catalog`; on Windows `%LOCALAPPDATA%\codex-mcp\catalog`. Relative values are passed
 * over; `null`: the environment names no place.
 *
 * @example
 * ```ts
 * import { catalogFolder } from "./folder.ts";
 *
 * console.log(catalogFolder({ platform: "linux", variable: (name) => name === "HOME" ? "/home/me" : undefined }));
 * // /home/me/.cache/codex-mcp/catalog
 * ```
 */
export function catalogFolder({ platform, variable }: CatalogFolderFacts): string | null {
  if (platform === "windows") {
    const local = variable("LOCALAPPDATA");
    return local !== undefined && isWindowsPath(local) ? `${local}\\codex-mcp\\catalog` : null;
  }
  const cache = variable("XDG_CACHE_HOME");
  if (platform !== "darwin" && cache?.startsWith("/")) return `${cache}/codex-mcp/catalog`;
  const home = variable("HOME");
  if (!home?.startsWith("/")) return null;
  return `${home}/${platform === "darwin" ? "Library/Caches" : ".cache"}/codex-mcp/catalog`;
}

/**
 * Makes `folder` with mode 0700, or takes what others were allowed from one that is there. `false` when it cannot be
 * had, is no folder (a link to one is none) or belongs to someone else.
 */
export async function makeCatalogFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await lstat(folder)).isDirectory()) return false;
    if (!isWindowsPath(folder)) await chmod(folder, 0o700); // which only its owner may
    return true;
  } catch {
    return false; // Why is of no use here: catalogs are then kept in memory alone.
  }
}

function isWindowsPath(path: string): boolean {
  return /^[a-z]:[\\/]|^\\\\/i.test(path);
}
