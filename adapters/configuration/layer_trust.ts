/**
 * Whether a file may be host policy. A file inside the workspace, or one that somebody else may write or replace, is
 * the project's, whatever flag or variable named it: a project could otherwise sign the person in where it wants.
 *
 * Which files are read, and as which layer, is decided in `codex_configuration.ts` and `file_configuration.ts`.
 *
 * @module
 */

import type { DiskFacts, DiskPort } from "../../core/ports/disk.ts";
import { isInside } from "../../core/sandbox/path.ts";
import { folderOf, resolvePath } from "../../core/sandbox/resolve_path.ts";
import { DISK } from "../disk.ts";

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
  /** Where the files are; absent: the disk as Node's functions see it. */
  readonly disk?: DiskPort | undefined;
}

/** Why the file at `path`, which exists, is not host policy; `null` when it may be. */
export async function distrustOf(path: string, facts: TrustFacts): Promise<DistrustReason | null> {
  const { workspace, exception, fixed, disk = DISK } = facts;
  const named = absolute(path, disk);
  const real = await disk.realPath(named);
  if (!fixed && !await isException(named, { exception, disk })) {
    const workspaces = [absolute(workspace, disk), await disk.realPath(workspace)];
    const places = [named, real];
    const isIn = (place: string): boolean =>
      workspaces.some((folder) => isInside(place, folder, disk.platform));
    if (places.some(isIn)) return "in-workspace";
  }
  return await isWritableByOthers(real, disk) ? "writable-by-others" : null;
}

/** The file stands right in the excepted folder, under its own name: a link from there leads nowhere else. */
async function isException(
  named: string,
  { exception, disk }: { readonly exception: string | null; readonly disk: DiskPort },
): Promise<boolean> {
  if (exception === null) return false;
  const folder = absolute(exception, disk);
  if (folderOf(named, disk) !== folder) return false;
  return folderOf(await disk.realPath(named), disk) === await disk.realPath(folder);
}

function absolute(path: string, disk: DiskPort): string {
  return resolvePath(path, { directory: disk.directory(), platform: disk.platform });
}

/** Looks at the file and at each folder above it. Windows has no such modes: there nothing is found. */
async function isWritableByOthers(real: string, disk: DiskPort): Promise<boolean> {
  const own = disk.userId();
  if (own === null) return false;
  if (canOthersWrite(await disk.facts(real), own)) return true;
  for (let folder = folderOf(real, disk);; folder = folderOf(folder, disk)) {
    const facts = await disk.facts(folder);
    // in a sticky folder others can add files, not replace this one
    const sticky = ((facts.mode ?? 0) & 0o1000) !== 0 && isTrusted(facts.uid, own);
    if (!sticky && canOthersWrite(facts, own)) return true;
    if (folder === folderOf(folder, disk)) return false;
  }
}

function canOthersWrite({ mode, uid, gid }: DiskFacts, own: number): boolean {
  if (mode === null || !isTrusted(uid, own) || (mode & 0o002) !== 0) return true;
  // a group with the number of its user is that user's alone on systems that create one for each
  return (mode & 0o020) !== 0 && gid !== own && gid !== 0;
}

function isTrusted(uid: number | null, own: number): boolean {
  return uid === own || uid === 0;
}
