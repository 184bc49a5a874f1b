/**
 * The file port: enough of a file to know it again.
 *
 * This file decides the shapes only; `adapters/deno/file.ts` and `adapters/node/file.ts` implement them, and
 * `adapters/sandbox/probe.ts` is why they exist: a launcher is trusted under its identity, not under its name.
 *
 * @module
 */

/** What tells one content of a file from another without reading it. */
export interface FileIdentity {
  /** The path with every symbolic link resolved. */
  readonly realPath: string;
  /** `"file"` for a regular file, else `"directory"` or `"other"`. */
  readonly kind: "file" | "directory" | "other";
  /** Device, inode, size in bytes and change time, as one opaque string that is compared whole. */
  readonly fingerprint: string;
}

/** Looks at files. */
export interface FilePort {
  /** Identity of what `path` leads to, or `null` when nothing is there or it may not be looked at. */
  identify(path: string): Promise<FileIdentity | null>;
}
