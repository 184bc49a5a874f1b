/**
 * The tools of servers, listed by the server or out of what was kept: memory first, then the store that other
 * processes share, then one request for all who wait. An enterprise server has no key, and is asked every time.
 *
 * What is kept, for whom and for how long is decided in `core/catalog`; what the request is, by whoever lists. Needs
 * no permission but the store's.
 *
 * @module
 */

import type { CatalogEntry, CatalogTool } from "../../core/catalog/entry.ts";
import { type CatalogKeeping, keepCatalog, type ListedTools } from "../../core/catalog/keep.ts";
import type { CatalogKey } from "../../core/catalog/key.ts";
import { isFreshCatalog, LEGACY_CATALOG_TTL_MS } from "../../core/catalog/lifetime.ts";
import type { CatalogEra } from "../../core/catalog/scope.ts";
import type { CatalogStore } from "../../core/catalog/store.ts";
import { freezeJson } from "../../core/json/freeze.ts";
import type { JsonValue } from "../../core/json/value.ts";
import type { ClockPort } from "../../core/ports/clock.ts";
import { Flights } from "./flights.ts";
import { createMemoryCatalogStore } from "./memory_store.ts";
import { OrderedStore } from "./ordered_store.ts";
import type { CatalogTrouble } from "./trouble.ts";

/** What a catalog needs. */
export interface ToolCatalogOptions {
  /** Tells the time. */
  readonly clock: Pick<ClockPort, "now">;
  /** Keeps what may be shared between processes; `null` or absent: memory alone. */
  readonly store?: CatalogStore | null;
  /** Life of a legacy server's catalog in milliseconds; 5 minutes by default, 0: it is not kept. */
  readonly legacyTtlMs?: number;
  /** Is told, once, when the store fails. It must not throw. */
  readonly report?: (trouble: CatalogTrouble) => void;
}

/** What is listed. */
export interface ListToolsRequest {
  /** Name of the server's catalog; `null`, as for an enterprise server: nothing is looked up and nothing kept. */
  readonly key: CatalogKey | null;
  /**
   * Asks the server, past every other cache. One answer serves all who wait, whoever asked first. The signal is
   * aborted when nobody waits for it any more.
   */
  readonly fetch: (signal: AbortSignal) => Promise<ListedTools>;
  /** Whether the server is asked whatever is kept. */
  readonly refresh?: boolean;
  /** Gives up waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** The tools of a server. */
export interface ToolListing {
  /** The tools, in the server's order, frozen: several may have asked for them. A copy where they are kept. */
  readonly tools: readonly CatalogTool[];
  /** What the server speaks. */
  readonly era: CatalogEra;
  /** The revision of the protocol. */
  readonly protocol: string;
  /** When the server was asked, in epoch seconds. */
  readonly fetchedAt: number;
  /** Where they come from. */
  readonly source: "server" | "memory" | "store";
}

/** When a catalog changed, and how often. */
interface Change {
  readonly count: number;
  /** Epoch seconds; what was fetched until then is no longer used, whoever still has it. */
  readonly at: number;
}

const UNCHANGED: Change = { count: 0, at: Number.NEGATIVE_INFINITY };

/** The tools of all servers of a host. */
export class ToolCatalog {
  readonly #options: ToolCatalogOptions;
  readonly #store: OrderedStore | null;
  readonly #legacyTtlMs: number;
  readonly #memory = createMemoryCatalogStore();
  readonly #lookups = new Flights<ToolListing | null>();
  readonly #fetches = new Flights<ToolListing>();
  readonly #changes = new Map<CatalogKey, Change>();

  /** Creates the catalog; nothing is read before it is used. */
  constructor(options: ToolCatalogOptions) {
    this.#options = options;
    this.#store = options.store ? new OrderedStore(options.store, options.report) : null;
    this.#legacyTtlMs = options.legacyTtlMs ?? LEGACY_CATALOG_TTL_MS;
  }

  /**
   * Lists the tools of a server. Rejects as `fetch` does, and then keeps nothing; trouble with the store is never an
   * error.
   *
   * @throws {HostError} `CALL_CANCELLED` when `signal` is aborted first.
   */
  async list({ key, fetch, refresh = false, signal }: ListToolsRequest): Promise<ToolListing> {
    if (key === null) {
      const alone = new Flights<ToolListing>(); // never shared: another caller may be another account
      return await alone.join("", { work: (abandoned) => this.#ask(null, fetch, abandoned), signal });
    }
    const found = refresh ? null : await this.held(key, signal);
    if (found !== null) return found;
    return await this.#fetches.join(key, { work: (abandoned) => this.#ask(key, fetch, abandoned), signal });
  }

  /**
   * What is kept under `key` and fresh, without asking the server; `null`: nothing.
   *
   * @throws {HostError} `CALL_CANCELLED` when `signal` is aborted first.
   */
  async held(key: CatalogKey | null, signal?: AbortSignal): Promise<ToolListing | null> {
    return key === null ? null : await this.#lookups.join(key, { work: () => this.#lookUp(key), signal });
  }

  /**
   * Forgets what is kept under `key`, at once: the server said that its tools have changed. An answer that is under
   * way is given to those who wait for it, and not kept.
   */
  changed(key: CatalogKey | null): void {
    if (key === null) return;
    const { count } = this.#changes.get(key) ?? UNCHANGED;
    this.#changes.set(key, { count: count + 1, at: this.#options.clock.now() });
    this.#lookups.detach(key);
    this.#fetches.detach(key);
    this.#forget(key);
  }

  /** Resolves when the store has been told everything so far. Await it before the program ends. */
  async settled(): Promise<void> {
    await this.#store?.settled();
  }

  async #lookUp(key: CatalogKey): Promise<ToolListing | null> {
    const { count, at } = this.#changes.get(key) ?? UNCHANGED;
    const held = await this.#remembered(key);
    if (held !== null || this.#store === null) return held;
    const stored = await this.#store.read(key);
    const fetched = await this.#remembered(key); // meanwhile, by one who refreshes
    if (fetched !== null) return fetched;
    const changed = (this.#changes.get(key) ?? UNCHANGED).count !== count;
    if (stored === null || changed || stored.fetchedAt <= at || !this.#isFresh(stored)) return null;
    await this.#memory.write(key, stored);
    return listing(stored, "store");
  }

  async #remembered(key: CatalogKey): Promise<ToolListing | null> {
    const held = await this.#memory.read(key);
    return held !== null && this.#isFresh(held) ? listing(held, "memory") : null;
  }

  async #ask(
    key: CatalogKey | null,
    fetch: ListToolsRequest["fetch"],
    abandoned: AbortSignal,
  ): Promise<ToolListing> {
    const before = key === null ? UNCHANGED : this.#changes.get(key);
    const listed = await fetch(abandoned);
    const now = this.#options.clock.now();
    const keeping = keepCatalog(listed, { enterprise: key === null, now, legacyTtlMs: this.#legacyTtlMs });
    if (key !== null && this.#changes.get(key) === before && !abandoned.aborted) this.#keep(key, keeping);
    if (keeping.kind === "kept") return listing(keeping.entry, "server");
    const { era, protocol } = listed;
    const tools = freezeJson(listed.tools as unknown as JsonValue) as unknown as ToolListing["tools"];
    return { tools, era, protocol, fetchedAt: now, source: "server" };
  }

  #keep(key: CatalogKey, keeping: CatalogKeeping): void {
    if (keeping.kind === "not-kept") return this.#forget(key);
    const { scope, entry } = keeping;
    void this.#memory.write(key, entry);
    void (scope === "shared" ? this.#store?.write(key, entry) : this.#store?.drop(key));
  }

  #forget(key: CatalogKey): void {
    void this.#memory.drop(key);
    void this.#store?.drop(key);
  }

  #isFresh(entry: CatalogEntry): boolean {
    return isFreshCatalog(entry, { now: this.#options.clock.now(), legacyTtlMs: this.#legacyTtlMs });
  }
}

function listing(entry: CatalogEntry, source: ToolListing["source"]): ToolListing {
  const { tools, era, protocol, fetchedAt } = entry;
  return { tools, era, protocol, fetchedAt, source };
}
