/**
 * Whether the catalog of a server (its tools, prompts and resources) may be shared. An enterprise server's never is:
 * it belongs to one thread and one generation of the grant, whatever the server says about caching.
 *
 * The decision only; the cache itself is a host's. MCP 2026-07-28, caching (`cacheScope`).
 *
 * @module
 */

/** What decides whether a catalog may be shared. */
export interface CatalogFacts {
  /** Whether the server uses enterprise-managed authorization. */
  readonly enterprise: boolean;
  /** The server's `cacheScope`, as it came. */
  readonly cacheScope: unknown;
}

/** Whose a cached catalog is. */
export type CatalogScope =
  /** Any thread may use it. */
  | "shared"
  /** Only the thread, account and generation that fetched it. */
  | "thread-and-generation";

/** Decides whose a catalog is. Only an ordinary server that says `"public"` lets it be shared. */
export function catalogScope({ enterprise, cacheScope }: CatalogFacts): CatalogScope {
  return !enterprise && cacheScope === "public" ? "shared" : "thread-and-generation";
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
