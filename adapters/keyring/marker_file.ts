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
import { type GrantMarker, readMarker, writeMarker } from "../../core/enterprise/grant/marker.ts";
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
 * Puts `marker` at `path`. Where that fails, as on a full disk, what is there is taken away: a marker that is gone is a
 * change too, and makes others look. A marker that says what is void must not be gone: it takes the place of what is in
 * the file, and if it does not fit there either, the file stays damaged, which lets nobody use anything.
 *
 * @throws {EnterpriseError} `MARKER_MALFORMED` when what is there can be neither written nor taken away.
 */
export async function changeMarkerFile(path: string, marker: GrantMarker): Promise<void> {
  const text = writeMarker(marker);
  try {
    await writeMarkerFile(path, text);
  } catch {
    const lasting = marker.current === null || marker.voided !== undefined || marker.only !== undefined;
    if (lasting) await overwriteMarkerFile(path, text);
    else await removeMarkerFile(path);
  }
}

/** Empties the file, then writes: whoever reads half of it holds it for damaged. */
async function overwriteMarkerFile(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600).catch((error: unknown) => {
    throw unusable(path, "it cannot be written", error);
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } catch {
    return; // it is empty, or cut off
  } finally {
    await file.close();
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
