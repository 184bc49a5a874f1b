/**
 * Whether a file may be host policy. A file inside the workspace, or one that somebody else may write or replace, is
 * the project's, whatever flag or variable named it: a project could otherwise sign the person in where it wants.
 *
 * Which files are read, and as which layer, is decided in `codex_configuration.ts` and `file_configuration.ts`.
 *
 * @module
 */

import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import process from "node:process";

/** Why a file is not host policy. */
export type DistrustReason =
  /** It lies in the workspace, or is named by a link that does. */
  | "in-workspace"
  /** Others may write it, or replace it in a folder above it. */
  | "writable-by-others";

/** What the judgement depends on. */
export interface TrustFacts {
  /** Folder of the project, absolute. */
  readonly workspace: string;
  /** Folder that is trusted although it lies in the workspace: the default `~/.codex`, absolute; `null`: none. */
  readonly exception: string | null;
  /** Whether the place is fixed by the system, so that a workspace around it says nothing. */
  readonly fixed: boolean;
}

/** Why the file at `path`, which exists, is not host policy; `null` when it may be. */
export async function distrustOf(path: string, facts: TrustFacts): Promise<DistrustReason | null> {
  const named = resolve(path);
  const real = await realpath(named);
  if (!facts.fixed && !await isException(named, facts.exception)) {
    const workspaces = [resolve(facts.workspace), await realpath(facts.workspace)];
    const places = [named, real];
    if (workspaces.some((folder) => places.some((place) => isInside(place, folder)))) return "in-workspace";
  }
  return await isWritableByOthers(real) ? "writable-by-others" : null;
}

/** Whether `path` is `folder` or lies in it, by name alone. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The file stands right in the excepted folder, under its own name: a link from there leads nowhere else. */
async function isException(named: string, exception: string | null): Promise<boolean> {
  if (exception === null) return false;
  const folder = resolve(exception);
  if (dirname(named) !== folder) return false;
  return dirname(await realpath(named)) === await realpath(folder);
}

/** Looks at the file and at each folder above it. Windows has no such modes: there nothing is found. */
async function isWritableByOthers(real: string): Promise<boolean> {
  const own = process.getuid?.();
  if (own === undefined) return false;
  if (canOthersWrite(await stat(real), own)) return true;
  for (let folder = dirname(real);; folder = dirname(folder)) {
    const facts = await stat(folder);
    // in a sticky folder others can add files, not replace this one
    const sticky = (facts.mode & 0o1000) !== 0 && isTrusted(facts.uid, own);
    if (!sticky && canOthersWrite(facts, own)) return true;
    if (folder === dirname(folder)) return false;
  }
}

function canOthersWrite({ mode, uid, gid }: Stats, own: number): boolean {
  if (!isTrusted(uid, own) || (mode & 0o002) !== 0) return true;
  // a group with the number of its user is that user's alone on systems that create one for each
  return (mode & 0o020) !== 0 && gid !== own && gid !== 0;
}

function isTrusted(uid: number, own: number): boolean {
  return uid === own || uid === 0;
}
