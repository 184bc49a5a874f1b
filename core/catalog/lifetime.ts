/**
 * How long the catalog of an ordinary server may be used without asking again. A modern server says so itself
 * (`ttlMs`), within a bound of ours; one of the era before says nothing, and gets a default.
 *
 * Whose the catalog is meanwhile is decided in `scope.ts`. MCP 2026-07-28, caching: a list is fresh
 * while `now < received + ttlMs`, a missing or negative `ttlMs` is 0, and each page has hints of its own.
 *
 * @module
 */

import type { CatalogEra } from "./scope.ts";

/** Longest life of a catalog in milliseconds, whatever the server says: 24 hours. */
export const MAX_CATALOG_TTL_MS = 86_400_000;

/** Life of a legacy server's catalog in milliseconds where the host does not say otherwise: 5 minutes. */
export const LEGACY_CATALOG_TTL_MS = 300_000;

/** What one page of a list says about caching, as it came. */
export interface CatalogHints {
  /** Milliseconds that it may be used; anything but a positive finite number is 0. */
  readonly ttlMs?: unknown;
  /** Who may use it: `"public"` or `"private"`. */
  readonly cacheScope?: unknown;
}

/** What decides how long a catalog lives. */
export interface LifetimeFacts {
  /** What the server speaks. */
  readonly era: CatalogEra;
  /** The hints of each page, in their order. */
  readonly hints: readonly CatalogHints[];
  /** Life of a legacy server's catalog, in milliseconds. */
  readonly legacyTtlMs: number;
}

/**
 * Milliseconds that a catalog may be used: whole, from 0 to {@linkcode MAX_CATALOG_TTL_MS}. Of several pages the
 * shortest counts, and one without a hint is 0. A legacy server gets the default; hints that it sends all the same
 * can only make that shorter.
 */
export function catalogTtlMs({ era, hints, legacyTtlMs }: LifetimeFacts): number {
  const ttls = hints.map(({ ttlMs }) => ttlMs);
  if (era === "modern") return ttls.length === 0 ? 0 : Math.min(...ttls.map(clampTtlMs));
  return Math.min(...[legacyTtlMs, ...ttls.filter((ttl) => ttl !== undefined)].map(clampTtlMs));
}

/** What decides whether a catalog is fresh. */
export interface FreshnessFacts {
  /** The time now, in epoch seconds. */
  readonly now: number;
  /** Life of a legacy server's catalog, in milliseconds: a catalog that was kept for longer is cut to it. */
  readonly legacyTtlMs: number;
}

/** The part of a kept catalog that its freshness depends on. */
export interface DatedCatalog {
  /** When it was received, in epoch seconds. */
  readonly fetchedAt: number;
  /** Milliseconds that it may be used. */
  readonly ttlMs: number;
  /** What the server speaks. */
  readonly era: CatalogEra;
}

/**
 * Whether a catalog may be used now. One that comes out of the future, because the clock was put back, may not, nor
 * one whose times are no numbers.
 */
export function isFreshCatalog(catalog: DatedCatalog, { now, legacyTtlMs }: FreshnessFacts): boolean {
  const ttl = clampTtlMs(catalog.ttlMs);
  const life = catalog.era === "legacy" ? Math.min(ttl, clampTtlMs(legacyTtlMs)) : ttl;
  const age = (now - catalog.fetchedAt) * 1000;
  return age >= 0 && age < life;
}

function clampTtlMs(ttlMs: unknown): number {
  if (typeof ttlMs !== "number" || !Number.isFinite(ttlMs) || ttlMs <= 0) return 0;
  return Math.min(Math.floor(ttlMs), MAX_CATALOG_TTL_MS);
}
