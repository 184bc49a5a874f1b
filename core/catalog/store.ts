/**
 * The port of whatever keeps catalogs between the lives of a host.
 *
 * This file decides the shape only. `adapters/catalog` has one in memory and one in files; a program that embeds the
 * host may give its own.
 *
 * @module
 */

import type { CatalogEntry } from "./entry.ts";
import type { CatalogKey } from "./key.ts";

/** Keeps catalogs of ordinary servers that may be shared. It never sees any other. */
export interface CatalogStore {
  /** The entry under `key`, fresh or not; `null` when there is none that can be used. */
  read(key: CatalogKey): Promise<CatalogEntry | null>;
  /** Puts `entry` under `key`, in place of one that is there. What cannot be kept is not. */
  write(key: CatalogKey, entry: CatalogEntry): Promise<void>;
  /** Takes away what is under `key`, if anything is. */
  drop(key: CatalogKey): Promise<void>;
}
