/**
 * Catalogs in files, one each, in a folder that several processes share: `<key>.v<version>.json`. A file that is
 * damaged, foreign, a link or of another version is none. Nothing here is ever an error: where the folder cannot be
 * used, that is said once and nothing is kept.
 *
 * The text of a file is decided in `core/catalog/record.ts`, the folder's place in `folder.ts`. Needs `--allow-read`
 * and `--allow-write` for the folder.
 *
 * @module
 */

import { rm } from "node:fs/promises";
import type { CatalogKey } from "../../core/catalog/key.ts";
import {
  CATALOG_VERSION,
  MAX_CATALOG_BYTES,
  readCatalogRecord,
  writeCatalogRecord,
} from "../../core/catalog/record.ts";
import type { CatalogStore } from "../../core/catalog/store.ts";
import { quote } from "../../core/errors.ts";
import { pruneFolder, readSmallFile, replaceFile } from "./_files.ts";
import { makeCatalogFolder } from "./folder.ts";
import { MAX_CATALOGS } from "./memory_store.ts";
import type { CatalogTrouble } from "./trouble.ts";

/** What a store in files needs. */
export interface FileCatalogStoreOptions {
  /** The absolute path of the folder; it is made when it is needed first. */
  readonly folder: string;
  /** How many catalogs stay in it; 256 by default. */
  readonly entries?: number;
  /** Is told, once, when catalogs cannot be kept. It must not throw. */
  readonly report?: (trouble: CatalogTrouble) => void;
}

/** Creates the store. Nothing is read or made before it is used. */
export function createFileCatalogStore(options: FileCatalogStoreOptions): CatalogStore {
  const { folder, entries = MAX_CATALOGS } = options;
  let usable: Promise<boolean> | undefined;
  let reported = false;
  const report = (reason: "folder" | "file", state: string): void => {
    if (reported) return;
    reported = true;
    const message = `Cannot keep tool catalogs in ${quote(folder)}: ${state}`;
    options.report?.({ reason, message });
  };
  const prepare = async (): Promise<boolean> => {
    const made = await makeCatalogFolder(folder);
    if (!made) report("folder", "it cannot be made, is no folder, or belongs to someone else");
    return made;
  };
  const ready = (): Promise<boolean> => usable ??= prepare();

  return {
    async read(key) {
      if (!await ready()) return null;
      try {
        const text = await readSmallFile(`${folder}/${nameOf(key)}`, MAX_CATALOG_BYTES);
        const reading = text === null ? null : readCatalogRecord(text, key);
        return reading?.kind === "entry" ? reading.entry : null;
      } catch {
        return null; // There is none, or it may not be read: both are a miss.
      }
    },
    async write(key, entry) {
      const text = writeCatalogRecord(key, entry);
      if (text === null) return;
      const kept = nameOf(key);
      for (const last of [false, true]) {
        if (!await ready()) return;
        try {
          await replaceFile(folder, kept, text);
          return await pruneFolder(folder, { kept, pattern: NAMES, max: entries });
        } catch {
          usable = undefined; // someone may have cleared the caches: the folder is made again
          if (last) report("file", "a file in it cannot be written");
        }
      }
    },
    async drop(key) {
      if (!await ready()) return;
      try {
        await rm(`${folder}/${nameOf(key)}`, { force: true });
      } catch {
        report("file", "a file in it cannot be removed");
      }
    },
  };
}

/** Names of the files of every version. */
const NAMES = /^[0-9a-f]{64}\.v\d+\.json$/;

function nameOf(key: CatalogKey): string {
  return `${key}.v${CATALOG_VERSION}.json`;
}
