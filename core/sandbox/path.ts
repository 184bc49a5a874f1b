/**
 * Path syntax and limits of the three platforms, as far as a launcher, a modifier or a directory needs them.
 * Paths are compared as text: whoever resolves symbolic links does it before.
 *
 * @module
 */

/** The operating system whose path syntax and limits apply. */
export type Platform = "linux" | "darwin" | "windows";

/** Tells whether `text` can be handed to an operating system: UTF-8 can write it, and it holds no NUL. */
export function isRepresentable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * Tells whether `path` is absolute on `platform`. On Windows: with a drive and a slash (`C:\x`), or on a share
 * (`\\server\share\x`); not relative to a drive (`C:x`, `\x`), no device (`\\.\x`).
 */
export function isAbsolutePath(path: string, platform: Platform): boolean {
  if (platform !== "windows") return path.startsWith("/");
  return /^[A-Za-z]:[\\/]/.test(path) || /^[\\/]{2}[^\\/?.][^\\/]*[\\/][^\\/]/.test(path) ||
    /^\\\\\?\\[A-Za-z]:\\/.test(path);
}

/** Tells whether `path` is `root` or lies below it. Both are absolute; `.` and `..` are resolved as text. */
export function isInside(path: string, root: string, platform: Platform): boolean {
  const inner = segments(path, platform);
  const outer = segments(root, platform);
  return outer.length <= inner.length && outer.every((segment, i) => segment === inner[i]);
}

function segments(path: string, platform: Platform): readonly string[] {
  const separators = platform === "windows" ? /[\\/]+/ : /\/+/;
  // darwin's and Windows' file systems ignore case as a rule; taking two names for one is the safe mistake here
  const text = platform === "linux" ? path : path.normalize("NFC").toLowerCase();
  const resolved: string[] = [];
  for (const segment of text.split(separators)) {
    if (segment === "..") resolved.pop();
    else if (segment !== "" && segment !== "." && !(segment === "?" && platform === "windows")) {
      resolved.push(segment);
    }
  }
  return resolved;
}
