/**
 * Catalogs in memory, bounded: the one that was not used for longest makes room.
 *
 * What may be kept is decided in `core/catalog/keep.ts`. Needs no permission.
 *
 * @module
 */

import type { CatalogEntry } from "../../core/catalog/entry.ts";
import type { CatalogKey } from "../../core/catalog/key.ts";
import type { CatalogStore } from "../../core/catalog/store.ts";

/** How many catalogs a store keeps where the host does not say otherwise. */
export const MAX_CATALOGS = 256;

/** Creates an empty store that keeps at most `entries` catalogs. */
export function createMemoryCatalogStore(
  { entries = MAX_CATALOGS }: { readonly entries?: number } = {},
): CatalogStore {
  const held = new Map<CatalogKey, CatalogEntry>(); // the one that was used last comes last
  const put = (key: CatalogKey, entry: CatalogEntry): void => {
    held.delete(key);
    held.set(key, entry);
    for (const oldest of held.keys()) {
      if (held.size <= entries) return;
      held.delete(oldest);
    }
  };
  return {
    read: (key) => {
      const entry = held.get(key) ?? null;
      if (entry !== null) put(key, entry);
      return Promise.resolve(entry);
    },
    write: (key, entry) => Promise.resolve(put(key, entry)),
    drop: (key) => {
      held.delete(key);
      return Promise.resolve();
    },
  };
}
