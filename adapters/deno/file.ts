/**
 * The file port over `Deno.stat` and `Deno.realPath`. `adapters/node/file.ts` is the same for Node.
 *
 * This file decides what the fingerprint of a file is made of. What a changed one means is decided by whoever
 * compares it.
 *
 * Deno tells the change time in whole seconds, so that a file could be written twice in one of them, and its
 * modification time be set back. A small file is therefore known by its content as well, and a large one that has
 * just changed is looked at again when its second is over: whatever changes it from then on shows.
 *
 * @module
 */

import type { FileIdentity, FilePort } from "../../core/ports/file.ts";

/** Most bytes of a file that is read for its fingerprint: any script, and no native launcher. */
const CONTENT_BYTES = 1_048_576;

/**
 * Creates the file port for Deno. A fingerprint of another runtime is never equal. Looking at a large file less than
 * a second after its change takes until that second is over.
 *
 * Permissions: `--allow-read` for the paths; without it they are as if they did not exist.
 */
export function createFiles(): FilePort {
  return { identify };
}

async function identify(path: string): Promise<FileIdentity | null> {
  try {
    const realPath = await Deno.realPath(path);
    const info = await settled(realPath);
    const { isFile, isDirectory, dev, ino, size, ctime, mtime } = info;
    const content = isSmall(info) ? await digestOf(realPath) : "";
    return {
      realPath,
      kind: isFile ? "file" : isDirectory ? "directory" : "other",
      fingerprint: ["deno", dev, ino, size, ctime?.getTime(), mtime?.getTime(), content].join(":"),
    };
  } catch {
    return null; // Nothing is there, or it may not be looked at: both are the port's `null`.
  }
}

function isSmall({ isFile, size }: Deno.FileInfo): boolean {
  return isFile && size <= CONTENT_BYTES;
}

/** What is known of a file, no sooner than in the second after its last change. A clock that was set back waits one. */
async function settled(path: string): Promise<Deno.FileInfo> {
  const info = await Deno.stat(path);
  const age = Date.now() - (info.ctime?.getTime() ?? 0);
  if (!info.isFile || isSmall(info) || age >= 1_000) return info;
  await new Promise((resolve) => setTimeout(resolve, 1_000 - Math.max(age, 0)));
  return await Deno.stat(path);
}

async function digestOf(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(digest).toHex();
}
