/**
 * What is kept of a list of tools that was just fetched: nothing of an enterprise server, nothing that is stale at
 * once, nothing that JSON cannot write back as it came, and nothing larger than it may be.
 *
 * Whose the catalog is, `scope.ts` decides; how long it lives, `lifetime.ts`.
 *
 * @module
 */

import { equalJson } from "../json/equal.ts";
import { freezeJson } from "../json/freeze.ts";
import type { JsonValue } from "../json/value.ts";
import { tryWriteJson } from "../json/write.ts";
import { areCatalogTools, type CatalogEntry, type CatalogTool } from "./entry.ts";
import { type CatalogHints, catalogTtlMs } from "./lifetime.ts";
import { fitsCatalog } from "./record.ts";
import { type CatalogEra, catalogScope } from "./scope.ts";

/** A list of tools as it was fetched, whole. */
export interface ListedTools {
  /** The tools of all pages, in the server's order. */
  readonly tools: readonly CatalogTool[];
  /** The caching hints of each page; those of the first may stand for all where no others are known. */
  readonly hints: readonly CatalogHints[];
  /** What the server speaks. */
  readonly era: CatalogEra;
  /** The revision of the protocol. */
  readonly protocol: string;
}

/** Why a list is not kept. */
export type NotKeptReason =
  /** The server uses enterprise-managed authorization. */
  | "enterprise"
  /** It may not be used again without asking. */
  | "stale"
  /** JSON cannot write it back as it was received, as with a number that became `Infinity`. */
  | "inexact"
  /** A tool has no name, or no schema of its arguments. */
  | "malformed"
  /** It is larger than a catalog may be. */
  | "too-large";

/** What becomes of a list. */
export type CatalogKeeping =
  /** It is kept: for other processes too (`"shared"`), or in this one alone (`"context"`). */
  | { readonly kind: "kept"; readonly scope: "shared" | "context"; readonly entry: CatalogEntry }
  /** It is not kept, and what was kept before it is no longer to be used. */
  | { readonly kind: "not-kept"; readonly reason: NotKeptReason };

/** What decides what is kept. */
export interface KeepFacts {
  /** Whether the server uses enterprise-managed authorization. */
  readonly enterprise: boolean;
  /** The time at which the list was received, in epoch seconds. */
  readonly now: number;
  /** Life of a legacy server's catalog, in milliseconds. */
  readonly legacyTtlMs: number;
}

/**
 * Decides what is kept of `listed`. The entry is a frozen copy. Order of checks: enterprise, life, exactness, shape,
 * size.
 */
export function keepCatalog(listed: ListedTools, facts: KeepFacts): CatalogKeeping {
  const { era, hints, protocol } = listed;
  const cacheScope = joinScopes(hints);
  const scope = catalogScope({ enterprise: facts.enterprise, era, cacheScope });
  if (scope === "thread-and-generation") return notKept("enterprise");
  const ttlMs = catalogTtlMs({ era, hints, legacyTtlMs: facts.legacyTtlMs });
  if (ttlMs === 0) return notKept("stale");
  const text = tryWriteJson(listed.tools);
  if (text === null) return notKept("inexact");
  if (!fitsCatalog(text)) return notKept("too-large");
  const copy = JSON.parse(text) as JsonValue;
  if (!equalJson(listed.tools as unknown as JsonValue, copy)) return notKept("inexact");
  const tools: unknown = freezeJson(copy);
  if (!areCatalogTools(tools)) return notKept("malformed");
  const entry = Object.freeze({ fetchedAt: facts.now, ttlMs, era, protocol, cacheScope, tools });
  return { kind: "kept", scope, entry };
}

/** The strictest of what the pages say: `"private"` when one says so or cannot be read, `null` when one is silent. */
function joinScopes(hints: readonly CatalogHints[]): CatalogEntry["cacheScope"] {
  const scopes = hints.map(({ cacheScope }) => cacheScope ?? null);
  if (scopes.some((scope) => scope !== null && scope !== "public")) return "private";
  return scopes.length === 0 || scopes.includes(null) ? null : "public";
}

function notKept(reason: NotKeptReason): CatalogKeeping {
  return { kind: "not-kept", reason };
}
