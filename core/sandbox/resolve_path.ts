/**
 * Paths put together and taken apart as text, as the three platforms write them. Whoever resolves symbolic links does
 * it elsewhere. What a path may be, and which one lies in which, is decided in `path.ts`.
 *
 * It does what `node:path` does for the paths of a configuration: Deno takes longer to load that module than it takes
 * to start.
 *
 * @module
 */

import type { Platform } from "./path.ts";

/** What a path is relative to. */
export interface PathBase {
  /** The folder, absolute. */
  readonly directory: string;
  /** Whose paths these are. */
  readonly platform: Platform;
}

/**
 * The absolute path that `path` is in `directory`, without `.`, `..` and what is twice. On Windows `C:x` is taken from
 * the folder when it lies on that drive, else from the root of the drive.
 *
 * @example
 * ```ts
 * import { resolvePath } from "./resolve_path.ts";
 *
 * console.log(resolvePath("../b.toml", { directory: "/home/dev", platform: "linux" })); // /home/b.toml
 * ```
 */
export function resolvePath(path: string, { directory, platform }: PathBase): string {
  const own = takeApart(path, platform);
  if (own.rooted && (own.device !== "" || platform !== "windows")) return putTogether(own, platform);
  const base = takeApart(directory, platform);
  const device = own.device === "" ? base.device : own.device;
  const same = own.device === "" || own.device.toLowerCase() === base.device.toLowerCase();
  const rest = own.rooted || !same ? own.rest : `${base.rest}/${own.rest}`;
  return putTogether({ device, rooted: true, rest }, platform);
}

/** The path of `name`, which may have several steps, in `folder`. */
export function joinPath(folder: string, name: string, { platform }: Pick<PathBase, "platform">): string {
  const text = folder === "" ? name : `${folder}${platform === "windows" ? "\\" : "/"}${name}`;
  return putTogether(takeApart(text, platform), platform);
}

/** The folder that `path` lies in; a root is its own. */
export function folderOf(path: string, { platform }: Pick<PathBase, "platform">): string {
  const { device, rooted, rest } = takeApart(path, platform);
  const names = namesIn(rest, { rooted, platform });
  return putTogether({ device, rooted, rest: names.slice(0, -1).join("/") }, platform);
}

interface PathParts {
  /** Drive or share; empty where there is none. */
  readonly device: string;
  /** Whether it begins at a root. */
  readonly rooted: boolean;
  /** What follows the device. */
  readonly rest: string;
}

function takeApart(path: string, platform: Platform): PathParts {
  if (platform !== "windows") return { device: "", rooted: path.startsWith("/"), rest: path };
  const [share, server, name] = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path) ?? [];
  if (share !== undefined) {
    return { device: `\\\\${server}\\${name}`, rooted: true, rest: path.slice(share.length) };
  }
  const [drive = ""] = /^[A-Za-z]:/.exec(path) ?? [];
  const rest = path.slice(drive.length);
  return { device: drive, rooted: /^[\\/]/.test(rest), rest };
}

function putTogether({ device, rooted, rest }: PathParts, platform: Platform): string {
  const separator = platform === "windows" ? "\\" : "/";
  const names = namesIn(rest, { rooted, platform });
  const text = `${device}${rooted ? separator : ""}${names.join(separator)}`;
  return text === device && !rooted ? `${device}.` : text;
}

function namesIn(
  rest: string,
  { rooted, platform }: { readonly rooted: boolean; readonly platform: Platform },
): readonly string[] {
  const names: string[] = [];
  for (const name of rest.split(platform === "windows" ? /[\\/]/ : "/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.length > 0 && names.at(-1) !== "..") names.pop();
    else if (!rooted) names.push(name);
  }
  return names;
}
