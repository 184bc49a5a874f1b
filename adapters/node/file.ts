/**
 * The file port over `node:fs`. `adapters/deno/file.ts` is the same for Deno.
 *
 * This file decides what the fingerprint of a file is made of. What a changed one means is decided by whoever
 * compares it.
 *
 * @module
 */

import { realpath, stat } from "node:fs/promises";
import type { FileIdentity, FilePort } from "../../core/ports/file.ts";

/** Creates the file port for Node; change and modification time are told in nanoseconds. */
export function createFiles(): FilePort {
  return { identify };
}

async function identify(path: string): Promise<FileIdentity | null> {
  try {
    const realPath = await realpath(path);
    const found = await stat(realPath, { bigint: true });
    const { dev, ino, size, ctimeNs, mtimeNs } = found;
    return {
      realPath,
      kind: found.isFile() ? "file" : found.isDirectory() ? "directory" : "other",
      fingerprint: ["node", dev, ino, size, ctimeNs, mtimeNs].join(":"),
    };
  } catch {
    return null; // Nothing is there, or it may not be looked at: both are the port's `null`.
  }
}
