/**
 * `--output DIR`: the folder for what is no text. Nothing that is there is overwritten or written through, and nothing
 * lands outside of it.
 *
 * How a file is named is decided in `file_name.ts`.
 *
 * @module
 */

import { mkdir, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../program/exit_code.ts";
import { fileName, type NamedContent, numbered } from "./file_name.ts";

/** A folder to write to. */
export interface OutputFolder {
  /** Writes a new file and gives back its path. Rejects with the system's error. */
  write(content: NamedContent, bytes: Uint8Array): Promise<string>;
}

/** How many names are tried for a file. */
const NAMES = 10_000;

/** Opens the folder, and makes it when it is not there. Throws a `UsageError` when there can be none. */
export async function openOutputFolder(path: string): Promise<OutputFolder> {
  const folder = await mkdir(path, { recursive: true }).then(() => realpath(path)).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) {
    throw new UsageError(`--output takes a folder that can be written, and ${JSON.stringify(path)} is none.`);
  }
  return { write: (content, bytes) => writeNew(folder, { name: fileName(content), bytes }) };
}

async function writeNew(
  folder: string,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
): Promise<string> {
  for (let number = 1; number <= NAMES; number += 1) {
    const path = join(folder, number === 1 ? name : numbered(name, number));
    const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return null;
      throw error;
    });
    if (file === null) continue;
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    return path;
  }
  throw new Error(`Cannot write ${JSON.stringify(name)}: the folder has ${NAMES} files of that name.`);
}
