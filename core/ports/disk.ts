/**
 * The disk port: as much of files, folders and whose they are as a command needs that looks around and starts nothing.
 *
 * This file decides the shapes only; `adapters/disk.ts` implements them for every runtime, and `adapters/deno/disk.ts`
 * over Deno's own functions, which are there at once: loading Node's takes Deno longer than starting.
 *
 * @module
 */

/** What is known of a file or folder, symbolic links followed. */
export interface DiskFacts {
  /** `"file"` for a regular file, else `"directory"` or `"other"`. */
  readonly kind: "file" | "directory" | "other";
  /** Size in bytes. */
  readonly size: number;
  /** Mode with the permissions in its last nine bits; `null`: the system has no modes. */
  readonly mode: number | null;
  /** Number of the user it belongs to; `null`: the system has none. */
  readonly uid: number | null;
  /** Number of the group it belongs to; `null`: the system has none. */
  readonly gid: number | null;
}

/** Reads the disk. What fails rejects with the system's error, whose `code` says why (`ENOENT`, `EACCES`). */
export interface DiskPort {
  /** Whose paths these are. */
  readonly platform: "linux" | "darwin" | "windows";
  /** The working directory of this process. */
  directory(): string;
  /** Number of the user of this process; `null`: the system has none. */
  userId(): number | null;
  /** The path with every symbolic link resolved. */
  realPath(path: string): Promise<string>;
  /** What `path` leads to. */
  facts(path: string): Promise<DiskFacts>;
  /** The whole content of a file. */
  read(path: string): Promise<Uint8Array>;
  /** The names in a folder. */
  list(folder: string): Promise<readonly string[]>;
}
