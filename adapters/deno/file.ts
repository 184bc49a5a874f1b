/**
 * The file port over `Deno.stat` and `Deno.realPath`. `adapters/node/file.ts` is the same for Node.
 *
 * This file decides what the fingerprint of a file is made of. What a changed one means is decided by whoever
 * compares it.
 *
 * @module
 */

import type { FileIdentity, FilePort } from "../../core/ports/file.ts";

/**
 * Creates the file port for Deno.
 *
 * Deno tells the change time in whole seconds, so the fingerprint also holds the modification time in
 * milliseconds. A fingerprint of another runtime is never equal.
 *
 * Permissions: `--allow-read` for the paths; without it they are as if they did not exist.
 */
export function createFiles(): FilePort {
  return { identify };
}

async function identify(path: string): Promise<FileIdentity | null> {
  try {
    const realPath = await Deno.realPath(path);
    const { isFile, isDirectory, dev, ino, size, ctime, mtime } = await Deno.stat(realPath);
    return {
      realPath,
      kind: isFile ? "file" : isDirectory ? "directory" : "other",
      fingerprint: ["deno", dev, ino, size, ctime?.getTime(), mtime?.getTime()].join(":"),
    };
  } catch {
    return null; // Nothing is there, or it may not be looked at: both are the port's `null`.
  }
}
