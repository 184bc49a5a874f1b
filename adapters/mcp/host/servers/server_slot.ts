/**
 * One configured server in a host: its entry, its connection, and the calls that it still has to answer. A slot lives
 * as long as its configuration is the same; what takes its place when that changes is decided in `server_set.ts`.
 *
 * @module
 */

import type { ServerEntry } from "../../../../core/configuration/entry.ts";
import type { ServerConnection } from "../connect/server_connection.ts";

/** A server. */
export class ServerSlot {
  /** As configured: what its connection depends on never changes, its times and its lists of tools may. */
  entry: ServerEntry;
  /** Equal for the same connection. */
  readonly key: string;
  /** The connection that all threads share; `null` for an enterprise server, which has one for each thread. */
  readonly connection: ServerConnection | null;
  /** How many tools may be used, as they were last listed; `null`: never. */
  tools: number | null = null;
  #uses = 0;
  #idle: (() => void) | null = null;

  /** Nothing is connected yet. */
  constructor(
    entry: ServerEntry,
    options: { readonly key: string; readonly connection: ServerConnection | null },
  ) {
    this.entry = entry;
    this.key = options.key;
    this.connection = options.connection;
  }

  /** Does `work` with the server; it is not closed meanwhile, unless the host is. */
  async use<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#uses += 1;
    try {
      return await work();
    } finally {
      this.#uses -= 1;
      if (this.#uses === 0) this.#idle?.();
    }
  }

  /** Makes the connection that all threads share, if there is one. Rejects as opening it does. */
  async open(signal: AbortSignal): Promise<void> {
    await this.use(async () => await this.connection?.open(signal));
  }

  /** Closes the connection as soon as nothing is done with it any more. Nothing new may be begun. */
  async retire(): Promise<void> {
    if (this.#uses > 0) await new Promise<void>((resolve) => this.#idle = resolve);
    await this.connection?.close();
  }
}
