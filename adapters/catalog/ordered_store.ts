/**
 * A store whose every use of one key waits for the one before, so that what is dropped stays dropped, and that never
 * fails: trouble is said once, and what is read then is nothing.
 *
 * What is written and when is decided in `tool_catalog.ts`. Needs no permission but the store's.
 *
 * @module
 */

import { type CatalogEntry, readCatalogEntry } from "../../core/catalog/entry.ts";
import type { CatalogKey } from "../../core/catalog/key.ts";
import type { CatalogStore } from "../../core/catalog/store.ts";
import type { CatalogTrouble } from "./trouble.ts";

/** A store, used in order. Nothing in it rejects. */
export class OrderedStore implements CatalogStore {
  readonly #store: CatalogStore;
  readonly #report: ((trouble: CatalogTrouble) => void) | undefined;
  /** The last use of each key. */
  readonly #tails = new Map<CatalogKey, Promise<unknown>>();
  #reported = false;

  /** Wraps `store`; `report` is told, once, when it fails. */
  constructor(store: CatalogStore, report?: (trouble: CatalogTrouble) => void) {
    this.#store = store;
    this.#report = report;
  }

  /** The entry under `key`; `null` when there is none, or what the store gives is none. */
  async read(key: CatalogKey): Promise<CatalogEntry | null> {
    return readCatalogEntry(await this.#inOrder(key, () => this.#store.read(key)));
  }

  /** Puts `entry` under `key`. */
  async write(key: CatalogKey, entry: CatalogEntry): Promise<void> {
    await this.#inOrder(key, () => this.#store.write(key, entry));
  }

  /** Takes away what is under `key`. */
  async drop(key: CatalogKey): Promise<void> {
    await this.#inOrder(key, () => this.#store.drop(key));
  }

  /** Resolves when everything that was wanted so far is done. */
  async settled(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }

  #inOrder(key: CatalogKey, use: () => Promise<unknown>): Promise<unknown> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const tail = before.then(use).catch(() => this.#trouble()).finally(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    this.#tails.set(key, tail);
    return tail;
  }

  #trouble(): void {
    if (this.#reported) return;
    this.#reported = true;
    const message = "Cannot keep tool catalogs: the store that the host was given fails";
    this.#report?.({ reason: "store", message });
  }
}
