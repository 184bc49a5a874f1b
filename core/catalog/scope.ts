/**
 * Whether the catalog of a server (its tools, prompts and resources) may be shared. An enterprise server's never is:
 * it belongs to one thread and one generation of the grant, whatever the server says about caching.
 *
 * The decision only. How long a catalog may be used is decided in `core/catalog/lifetime.ts`, what is kept of it in
 * `core/catalog/keep.ts`. MCP 2026-07-28, caching (`cacheScope`).
 *
 * @module
 */

/** Whether a server speaks 2026-07-28 or later, with its caching hints, or the handshake of 2025, which has none. */
export type CatalogEra = "modern" | "legacy";

/** What decides whether a catalog may be shared. */
export interface CatalogFacts {
  /** Whether the server uses enterprise-managed authorization. */
  readonly enterprise: boolean;
  /** What the server speaks. */
  readonly era: CatalogEra;
  /** The server's `cacheScope`, as it came; `undefined` or `null`: it said nothing. */
  readonly cacheScope: unknown;
}

/** Whose a cached catalog is. */
export type CatalogScope =
  /** Whoever has the same configuration and the same credentials may use it, in another process too. */
  | "shared"
  /** Who has the same configuration and the same credentials may use it, in this process alone. */
  | "context"
  /** Only the thread, account and generation that fetched it. */
  | "thread-and-generation";

/**
 * Decides whose a catalog is:
 *
 * | server | says | scope |
 * |---|---|---|
 * | enterprise | whatever it says | `"thread-and-generation"` |
 * | modern | `"public"` | `"shared"` |
 * | modern | anything else, or nothing | `"context"` |
 * | legacy | nothing, as its protocol has no word for it, or `"public"` | `"shared"` |
 * | legacy | anything else | `"context"` |
 */
export function catalogScope({ enterprise, era, cacheScope }: CatalogFacts): CatalogScope {
  if (enterprise) return "thread-and-generation";
  const silent = cacheScope === undefined || cacheScope === null;
  return cacheScope === "public" || era === "legacy" && silent ? "shared" : "context";
}

/** Where a catalog was fetched, or is to be used. */
export interface CatalogOwner {
  /** The thread. */
  readonly thread: string;
  /** The server. */
  readonly server: string;
  /** The account, as the key of its grant. */
  readonly grantKey: string;
  /** The generation of the grant. */
  readonly generation: string;
}

/** Whether a catalog that was fetched for one owner may be used by another: only if it is the same in everything. */
export function mayReuseCatalog(fetched: CatalogOwner, user: CatalogOwner): boolean {
  return fetched.thread === user.thread && fetched.server === user.server &&
    fetched.grantKey === user.grantKey && fetched.generation === user.generation;
}
