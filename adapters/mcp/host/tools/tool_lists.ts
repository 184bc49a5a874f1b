/**
 * The tools of each server of a host. An ordinary server's come from the catalog while that is fresh; an enterprise
 * server's are asked for every time, over the connection of the thread that asks, and never kept.
 *
 * What may be kept, for whom and how long is decided in `core/catalog`, which also makes the name that a catalog is
 * kept under: it depends on the configuration, on the values that it only names, and on what the host says about
 * itself.
 *
 * @module
 */

import type { ClientCapabilities, Implementation, Tool } from "@modelcontextprotocol/client";
import type { ListedTools as FetchedTools } from "../../../../core/catalog/keep.ts";
import { type CatalogKey, catalogKey, type CatalogSubject } from "../../../../core/catalog/key.ts";
import { connectionKey } from "../../../../core/configuration/configuration_key.ts";
import type { ServerEntry } from "../../../../core/configuration/entry.ts";
import type { DigestPort } from "../../../../core/ports/digest.ts";
import type { ToolCatalog } from "../../../catalog/tool_catalog.ts";
import type { CallConnection } from "../call/run_call.ts";
import type { ServerSlot } from "../servers/server_slot.ts";
import { listTools } from "./list_tools.ts";

/** The tools of a server, and where that is known from. */
export interface ListedTools {
  /** Those that may be used, in the server's order. */
  readonly tools: readonly Tool[];
  /** The server itself, or what was kept of an earlier answer: in this process, or in the store that others share. */
  readonly source: "server" | "memory" | "store";
  /** When the server was asked, in epoch seconds. */
  readonly fetchedAt: number;
}

/** Who wants tools listed. */
export interface ToolUse {
  /** Whether the server is asked whatever is known. */
  readonly refresh: boolean;
  /** Connects. */
  readonly open: (signal: AbortSignal) => Promise<CallConnection>;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** What lists depend on. */
export interface ToolListsOptions {
  /** Keeps them. */
  readonly catalog: ToolCatalog;
  /** Computes digests. */
  readonly digest: DigestPort;
  /** The host's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The host's working directory. */
  readonly directory: string;
  /** What the host says about itself. */
  readonly clientInfo: Implementation;
  /** What it says that it can do. */
  readonly capabilities: ClientCapabilities;
}

/** Variables that many programs look at. */
const SURROUNDINGS: readonly string[] = ["PATH", "HOME", "CODEX_HOME", "USERPROFILE"];

/** The tools of the servers of a host. */
export class ToolLists {
  readonly #options: ToolListsOptions;
  readonly #keys = new WeakMap<ServerEntry, Promise<CatalogKey | null>>();

  /** Lists nothing yet. */
  constructor(options: ToolListsOptions) {
    this.#options = options;
  }

  /** Lists the tools of a server, those that may not be used included. Rejects as connecting and asking do. */
  async list(
    { entry }: Pick<ServerSlot, "entry">,
    { open, refresh, signal }: ToolUse,
  ): Promise<ListedTools> {
    const key = await this.#keyOf(entry);
    const fetch = async (abandoned: AbortSignal): Promise<FetchedTools> => {
      const connection = await open(abandoned);
      const { tools, hints } = await listTools(connection, { server: entry.name, signal: abandoned });
      const { era, protocol } = connection;
      return { tools, hints, era, protocol };
    };
    const { tools, source, fetchedAt } = await this.#options.catalog.list({ key, fetch, refresh, signal });
    return { tools: tools as readonly Tool[], source, fetchedAt };
  }

  /** The tools of an ordinary server, as far as they are kept and fresh; none otherwise. Asks nobody. */
  async known(entry: ServerEntry): Promise<readonly Tool[]> {
    const held = await this.#options.catalog.held(await this.#keyOf(entry));
    return (held?.tools ?? []) as readonly Tool[];
  }

  /** The server says that its tools have changed, or shows it. */
  async changed(entry: ServerEntry): Promise<void> {
    this.#options.catalog.changed(await this.#keyOf(entry));
  }

  #keyOf(entry: ServerEntry): Promise<CatalogKey | null> {
    const known = this.#keys.get(entry) ?? catalogKey(this.#subjectOf(entry), this.#options.digest);
    this.#keys.set(entry, known);
    return known;
  }

  #subjectOf(entry: ServerEntry): CatalogSubject {
    if (entry.kind === "enterprise") return { kind: "enterprise" };
    const { environment, directory, clientInfo, capabilities } = this.#options;
    const valueOf = (name: string): string | null =>
      Object.hasOwn(environment, name) ? environment[name] ?? null : null;
    return {
      kind: entry.kind,
      configuration: connectionKey(entry),
      credentials: namesIn(entry).map(valueOf),
      surroundings: [directory, JSON.stringify([clientInfo, capabilities]), ...SURROUNDINGS.map(valueOf)],
    };
  }
}

/** The variables that an entry names, in an order that depends on the entry alone. */
function namesIn(entry: Exclude<ServerEntry, { readonly kind: "enterprise" }>): readonly string[] {
  if (entry.kind === "stdio") return [...entry.envVars].toSorted();
  const names = Object.entries(entry.envHeaders).toSorted(([a], [b]) => a < b ? -1 : 1);
  return [
    ...entry.bearerTokenEnvVar === null ? [] : [entry.bearerTokenEnvVar],
    ...names.map(([, name]) => name),
  ];
}
