/**
 * The disk port over Deno's own functions. `adapters/disk.ts` is the same for every runtime that has Node's.
 *
 * @module
 */

import type { DiskFacts, DiskPort } from "../../core/ports/disk.ts";
import { hostPlatform } from "./host_platform.ts";

/**
 * Creates the disk port for Deno.
 *
 * Permissions: `--allow-read` for the paths and the working directory, and `--allow-sys=uid`.
 */
export function createDisk(): DiskPort {
  return {
    platform: hostPlatform(),
    directory: () => Deno.cwd(),
    userId: () => Deno.uid(),
    realPath: (path) => Deno.realPath(path),
    facts,
    read: (path) => Deno.readFile(path),
    list: async (folder) => {
      const names: string[] = [];
      for await (const { name } of Deno.readDir(folder)) names.push(name);
      return names;
    },
  };
}

async function facts(path: string): Promise<DiskFacts> {
  const { isFile, isDirectory, size, mode, uid, gid } = await Deno.stat(path);
  return { kind: isFile ? "file" : isDirectory ? "directory" : "other", size, mode, uid, gid };
}
