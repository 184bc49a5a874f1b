/**
 * The marker as a file: read whole, and written beside and renamed, so that nobody ever reads half of one. What it
 * says is decided in `core/enterprise/grant/marker.ts`.
 *
 * Only whoever holds the lock writes, so one name for the new file is enough, and a crash leaves at most one behind.
 *
 * @module
 */

import { open, readFile, rename, rm } from "node:fs/promises";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { type GrantMarker, readMarker } from "../../core/enterprise/grant/marker.ts";
import { unusable } from "./state_folder.ts";

/** A marker as it was found. */
export interface FoundMarker {
  /** Its exact text, by which a change is noticed; `null`: there is no file. */
  readonly text: string | null;
  /** What it says; `null`: there is no file. */
  readonly marker: GrantMarker | null;
}

/**
 * Reads the marker at `path`.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when there is a file that cannot be read, or is no marker.
 */
export async function readMarkerFile(path: string): Promise<FoundMarker> {
  try {
    const text = await readFile(path, "utf8");
    return { text, marker: readMarker(text) };
  } catch (error) {
    if (error instanceof EnterpriseError) throw error;
    if (codeOf(error) === "ENOENT") return { text: null, marker: null };
    throw unusable(path, "it cannot be read", error);
  }
}

/** The marker at `path`, and whether it is damaged: then it is `null`. */
export async function findMarkerFile(
  path: string,
): Promise<{ readonly marker: GrantMarker | null; readonly damaged: boolean }> {
  try {
    return { marker: (await readMarkerFile(path)).marker, damaged: false };
  } catch (error) {
    if (error instanceof EnterpriseError) return { marker: null, damaged: true };
    throw error;
  }
}

/**
 * Puts `text` at `path`, readable by the user alone.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be written.
 */
export async function writeMarkerFile(path: string, text: string): Promise<void> {
  try {
    const file = await open(`${path}.new`, "w", 0o600);
    try {
      await file.chmod(0o600); // the name may be one that a crash left behind
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  } catch (error) {
    throw unusable(path, "it cannot be written", error);
  }
}

/**
 * Puts `text` at `path`, or takes away what is there where that fails, as on a full disk: a marker that is gone is a
 * change too, and makes others look.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when neither can be done.
 */
export async function changeMarkerFile(path: string, text: string): Promise<void> {
  try {
    await writeMarkerFile(path, text);
  } catch {
    await removeMarkerFile(path);
  }
}

/**
 * Removes the marker at `path`, if there is one.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when it cannot be removed.
 */
export async function removeMarkerFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw unusable(path, "it cannot be removed", error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
