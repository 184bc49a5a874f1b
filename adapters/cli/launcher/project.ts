/**
 * The folder that a command works in.
 *
 * @module
 */

import type { DiskPort } from "../../../core/ports/disk.ts";
import { DISK } from "../../disk.ts";
import { UsageError } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";

/** Real path of the project that `--cwd` names; absent: the working directory. Throws a `UsageError`. */
export async function projectOf(flags: Flags, disk: DiskPort = DISK): Promise<string> {
  const named = flags.value("cwd") ?? ".";
  const found = await disk.realPath(named).catch(() => null);
  if (found !== null && (await disk.facts(found)).kind === "directory") return found;
  throw new UsageError(`--cwd takes a directory that exists, and ${JSON.stringify(named)} does not.`);
}
