/**
 * A catalog as it is kept: the tools, when they came and how long they may be used, and what an entry must look like
 * to be believed, wherever it comes from.
 *
 * Its text is `record.ts`'s; which catalogs become one is decided in `keep.ts`. MCP 2026-07-28, `tools/list`.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../json/value.ts";
import { MAX_CATALOG_TTL_MS } from "./lifetime.ts";
import type { CatalogEra } from "./scope.ts";

/** A tool, as the server describes it. Its other fields are as they came. */
export interface CatalogTool {
  /** Its name. */
  readonly name: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: object;
  /** The rest. */
  readonly [field: string]: unknown;
}

/** A catalog that is kept. */
export interface CatalogEntry {
  /** When it was received, in epoch seconds. */
  readonly fetchedAt: number;
  /** Milliseconds that it may be used, from 1 to {@linkcode MAX_CATALOG_TTL_MS}. */
  readonly ttlMs: number;
  /** What the server speaks. */
  readonly era: CatalogEra;
  /** The revision of the protocol. */
  readonly protocol: string;
  /** Who may use it, by what the server says; `null`: it says nothing. */
  readonly cacheScope: "public" | "private" | null;
  /** The tools, in the server's order. */
  readonly tools: readonly CatalogTool[];
}

/** Reads an entry out of a value; `null` when it is none. Members that are not known are passed over. */
export function readCatalogEntry(value: unknown): CatalogEntry | null {
  const fetchedAt = ownProperty(value, "fetchedAt");
  const ttlMs = ownProperty(value, "ttlMs");
  const era = ownProperty(value, "era");
  const protocol = ownProperty(value, "protocol");
  const cacheScope = ownProperty(value, "cacheScope");
  const tools = ownProperty(value, "tools");
  if (typeof fetchedAt !== "number" || !Number.isFinite(fetchedAt) || fetchedAt < 0) return null;
  if (typeof ttlMs !== "number" || !Number.isInteger(ttlMs) || ttlMs < 1 || ttlMs > MAX_CATALOG_TTL_MS) {
    return null;
  }
  if (era !== "modern" && era !== "legacy" || typeof protocol !== "string") return null;
  if (cacheScope !== "public" && cacheScope !== "private" && cacheScope !== null) return null;
  return areCatalogTools(tools) ? { fetchedAt, ttlMs, era, protocol, cacheScope, tools } : null;
}

/** Whether a value is a list of tools, each with a name and a schema of its arguments. */
export function areCatalogTools(value: unknown): value is readonly CatalogTool[] {
  return Array.isArray(value) && value.every((tool) => {
    const name = ownProperty(tool, "name");
    return typeof name === "string" && name !== "" && isJsonObject(ownProperty(tool, "inputSchema"));
  });
}
