/**
 * One small file, read with a bound and without following a link, and put in place whole: written beside and renamed,
 * under a name of its own, so that any number of processes may write at once and nobody ever reads half of one.
 *
 * Nothing is forced to the disk: what a crash of the machine leaves is refused by its reader, and fetched again.
 *
 * @module
 */

import { lstat, open, readdir, rename, rm } from "node:fs/promises";

/** A new file that is this old was left behind by a crash, in milliseconds. */
const LEFT_BEHIND = 3_600_000;

/** The text of the file at `path`; `null` when there is none that is a plain file, UTF-8 and at most `max` bytes. */
export async function readSmallFile(path: string, max: number): Promise<string | null> {
  const found = await lstat(path);
  if (!found.isFile() || found.size > max) return null;
  const file = await open(path, "r");
  try {
    const opened = await file.stat();
    if (!opened.isFile() || opened.ino !== found.ino || opened.dev !== found.dev) return null;
    const bytes = new Uint8Array(opened.size + 1);
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, size, bytes.length - size, null);
      size += bytesRead;
      if (bytesRead === 0) break;
      if (size > opened.size) return null; // someone writes to it where it lies
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, size));
  } finally {
    await file.close();
  }
}

/** Puts `text` at `folder/name`, readable by the user alone, in place of whatever is there but a folder. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const path = `${folder}/.${name}.${crypto.randomUUID()}.new`;
  const file = await open(path, "wx", 0o600);
  try {
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(path, `${folder}/${name}`);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** What is taken away from a folder. */
export interface PruneOptions {
  /** Name of the file that was written last. It stays, and its time is the present one, as the file system tells it. */
  readonly kept: string;
  /** What the names of the files look like; others are left alone. */
  readonly pattern: RegExp;
  /** How many may stay. */
  readonly max: number;
}

/** Takes away the oldest files of a folder until `max` are left, and new files that a crash left behind. */
export async function pruneFolder(folder: string, { kept, pattern, max }: PruneOptions): Promise<void> {
  const names = await readdir(folder);
  const whole = names.filter((name) => pattern.test(name));
  const fresh = names.filter((name) => pattern.test(/^\.(.*)\.[0-9a-f-]{36}\.new$/.exec(name)?.[1] ?? ""));
  if (whole.length > max) {
    const dated = (await datesOf(folder, whole.filter((name) => name !== kept))).sort((a, b) =>
      a.time - b.time
    );
    await remove(folder, dated.slice(0, whole.length - max));
  }
  if (fresh.length > 0) {
    const now = (await datesOf(folder, [kept]))[0]?.time ?? 0;
    await remove(
      folder,
      (await datesOf(folder, fresh)).filter(({ time }) => Math.abs(now - time) > LEFT_BEHIND),
    );
  }
}

interface DatedFile {
  readonly name: string;
  readonly time: number;
}

/** When files were written; one that another process took away meanwhile is left out. */
async function datesOf(folder: string, names: readonly string[]): Promise<DatedFile[]> {
  const found = await Promise.allSettled(
    names.map(async (name) => ({ name, time: (await lstat(`${folder}/${name}`)).mtimeMs })),
  );
  return found.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
}

async function remove(folder: string, files: readonly DatedFile[]): Promise<void> {
  await Promise.allSettled(files.map(({ name }) => rm(`${folder}/${name}`, { force: true })));
}
