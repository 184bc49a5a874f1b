/**
 * A folder for the files of a test, and small ways to fill it.
 *
 * @module
 */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

/** Not the temporary folder: a sandbox that was killed may have left a `.git` there, which would bound a project. */
const BASE: string = process.platform === "win32" ? tmpdir() : "/var/tmp";

/** Runs `body` with a folder of its own, which is gone afterwards. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(BASE, "configuration-")));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a file that only its owner may write, with the folders around it; its path. */
export async function put(path: string, text: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** Waits until `condition` holds, 20 seconds at most. */
export async function until(condition: () => boolean): Promise<void> {
  for (let n = 0; n < 1000 && !condition(); n++) await new Promise((resolve) => setTimeout(resolve, 20));
  if (!condition()) throw new Error("The condition was not met in time");
}
