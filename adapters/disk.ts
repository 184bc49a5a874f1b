/**
 * The disk port over `node:fs/promises`, which is loaded when something is read first: this module itself costs a
 * runtime nothing. `adapters/deno/disk.ts` is the same over Deno's own functions.
 *
 * @module
 */

import type { DiskFacts, DiskPort } from "../core/ports/disk.ts";

/** The disk as Node's functions see it. Needs `--allow-read` and `--allow-sys=uid` on Deno. */
export const DISK: DiskPort = {
  get platform() {
    const { platform } = globalThis.process;
    return platform === "win32" ? "windows" : platform === "darwin" ? "darwin" : "linux";
  },
  directory: () => globalThis.process.cwd(),
  userId: () => globalThis.process.getuid?.() ?? null,
  realPath: async (path) => await (await files()).realpath(path),
  facts,
  read: async (path) => await (await files()).readFile(path),
  list: async (folder) => await (await files()).readdir(folder),
};

async function files(): Promise<typeof import("node:fs/promises")> {
  return await import("node:fs/promises");
}

async function facts(path: string): Promise<DiskFacts> {
  const found = await (await files()).stat(path);
  const { size, mode, uid, gid } = found;
  return {
    kind: found.isFile() ? "file" : found.isDirectory() ? "directory" : "other",
    size,
    mode,
    uid,
    gid,
  };
}
