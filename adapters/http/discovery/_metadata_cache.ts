/**
 * Keeps the discovery documents that were accepted, by the URL they were asked at. Only the parsed document is kept:
 * it is checked anew at each use, because what it is checked against may have changed.
 *
 * For how long is decided in `_freshness.ts`; what is asked in `_metadata_search.ts`.
 *
 * @module
 */

/** How many documents are kept. The one that was used longest ago goes first. */
export const MAX_CACHED_DOCUMENTS = 64;

/** A kept document. */
export interface CachedDocument {
  /** The parsed document. */
  readonly document: unknown;
  /** Its validator, for asking whether it changed; `null`: it has none. */
  readonly etag: string | null;
  /** Until when it may be used without asking, epoch seconds. */
  readonly freshUntil: number;
}

/** The kept documents. */
export class MetadataCache {
  readonly #documents = new Map<string, CachedDocument>();

  /** The document of `url`, fresh or not; `null` when none is kept. */
  find(url: string): CachedDocument | null {
    const found = this.#documents.get(url);
    if (found === undefined) return null;
    this.#documents.delete(url);
    this.#documents.set(url, found);
    return found;
  }

  /** Keeps `cached` under `url`. */
  keep(url: string, cached: CachedDocument): void {
    this.#documents.delete(url);
    this.#documents.set(url, cached);
    if (this.#documents.size <= MAX_CACHED_DOCUMENTS) return;
    for (const oldest of this.#documents.keys()) {
      this.#documents.delete(oldest);
      return;
    }
  }

  /** Forgets the document of `url`. */
  drop(url: string): void {
    this.#documents.delete(url);
  }

  /** Forgets everything. */
  clear(): void {
    this.#documents.clear();
  }
}
