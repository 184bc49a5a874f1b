/**
 * The text of a kept catalog: one JSON object with a version, the key that it was written for, and the entry. Another
 * version, a text that was moved to another name, or one that may not be shared is refused, each by its name.
 *
 * Where the text lies is an adapter's concern. What an entry is, `entry.ts` says.
 *
 * @module
 */

import { freezeJson } from "../json/freeze.ts";
import { isJsonObject, type JsonValue, ownProperty } from "../json/value.ts";
import { tryWriteJson } from "../json/write.ts";
import { type CatalogEntry, readCatalogEntry } from "./entry.ts";
import type { CatalogKey } from "./key.ts";
import { catalogScope } from "./scope.ts";

/** Version of the text that this program reads and writes. */
export const CATALOG_VERSION = 1;

/** Longest text of one catalog, in bytes of UTF-8: 1 MiB. */
export const MAX_CATALOG_BYTES = 1_048_576;

/** Why a text is not used. */
export type CatalogRefusal =
  /** It is longer than {@linkcode MAX_CATALOG_BYTES}. */
  | "too-large"
  /** It is not JSON. */
  | "not-json"
  /** A later version of this program wrote it. */
  | "newer-version"
  /** It has no version, or one that was never written. */
  | "unknown-version"
  /** It was written under another name. */
  | "other-key"
  /** A member is missing or malformed. */
  | "malformed"
  /** It may not be shared. */
  | "not-shared";

/** What a text turned out to be. */
export type CatalogReading =
  | { readonly kind: "entry"; readonly entry: CatalogEntry }
  | { readonly kind: "refused"; readonly reason: CatalogRefusal };

/** Writes an entry under its key; `null` when it may not be shared, is longer than it may be, or is not JSON. */
export function writeCatalogRecord(key: CatalogKey, entry: CatalogEntry): string | null {
  if (!isShared(entry)) return null;
  const { fetchedAt, ttlMs, era, protocol, cacheScope, tools } = entry;
  const record = { version: CATALOG_VERSION, key, fetchedAt, ttlMs, era, protocol, cacheScope, tools };
  const text = tryWriteJson(record);
  return text === null || !fitsCatalog(text) ? null : text;
}

/** Reads the entry that was written under `key`; all that is in it is frozen. Never throws. */
export function readCatalogRecord(text: string, key: CatalogKey): CatalogReading {
  if (!fitsCatalog(text)) return refuse("too-large");
  const value = parse(text);
  if (value === undefined) return refuse("not-json");
  if (!isJsonObject(value)) return refuse("malformed");
  const version = ownProperty(value, "version");
  if (version !== CATALOG_VERSION) {
    const newer = Number.isInteger(version) && Number(version) > CATALOG_VERSION;
    return refuse(newer ? "newer-version" : "unknown-version");
  }
  if (ownProperty(value, "key") !== key) return refuse("other-key");
  const entry = readCatalogEntry(value);
  if (entry === null) return refuse("malformed");
  if (!isShared(entry)) return refuse("not-shared");
  freezeJson(value as JsonValue);
  return { kind: "entry", entry: Object.freeze(entry) };
}

/** Whether a text is as short as a catalog must be. */
export function fitsCatalog(text: string): boolean {
  if (text.length > MAX_CATALOG_BYTES) return false;
  return text.length * 3 <= MAX_CATALOG_BYTES || new TextEncoder().encode(text).length <= MAX_CATALOG_BYTES;
}

function isShared({ era, cacheScope }: CatalogEntry): boolean {
  return catalogScope({ enterprise: false, era, cacheScope }) === "shared";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // which no JSON text means
  }
}

function refuse(reason: CatalogRefusal): CatalogReading {
  return { kind: "refused", reason };
}
