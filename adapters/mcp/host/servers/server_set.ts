/**
 * The servers of a host over all its configurations.
 *
 * | the server | its connection | calls under way |
 * |---|---|---|
 * | is the same, or other in its times and lists of tools alone | kept | go on |
 * | is another in what its connection depends on, or was switched on | another one | go on over the one before, which is closed after them |
 * | is gone, switched off or at fault | closed after the calls under way | go on, and are not sent again |
 *
 * What a connection depends on is decided in `core/configuration/configuration_key.ts`.
 *
 * @module
 */

import { configurationKey, connectionKey } from "../../../../core/configuration/configuration_key.ts";
import type { ServerEntry } from "../../../../core/configuration/entry.ts";
import { renderFault } from "../../../../core/configuration/fault_text.ts";
import type { HostConfiguration } from "../../../../core/configuration/host_configuration.ts";
import type { DisabledServer } from "../../../../core/enterprise/config/configuration.ts";
import { HostError, quote } from "../../../../core/errors.ts";
import type { ServerConnection } from "../connect/server_connection.ts";
import { ServerSlot } from "./server_slot.ts";

/** Makes the connection of a server; `null`: it has none that threads share. */
export type ConnectServer = (entry: ServerEntry) => ServerConnection | null;

/** What another configuration changed: names, in its order. */
export interface ServerChanges {
  /** Servers that were not there before. */
  readonly added: readonly string[];
  /** Servers that are configured otherwise. */
  readonly changed: readonly string[];
  /** Servers that are gone. */
  readonly removed: readonly string[];
}

/** The servers of a host. */
export class ServerSet {
  readonly #connect: ConnectServer;
  readonly #retiring = new Map<ServerSlot, Promise<void>>();
  #slots = new Map<string, ServerSlot>();
  #disabled = new Map<string, DisabledServer>();

  /** Begins with none. */
  constructor(connect: ConnectServer) {
    this.#connect = connect;
  }

  /** The servers that can be used, those that are switched off included. */
  get slots(): readonly ServerSlot[] {
    return [...this.#slots.values()];
  }

  /** The servers that a fault disables. */
  get disabled(): readonly DisabledServer[] {
    return [...this.#disabled.values()];
  }

  /** Takes a configuration. */
  apply({ servers, disabled }: Pick<HostConfiguration, "servers" | "disabled">): ServerChanges {
    const before = this.#slots;
    const names = new Set([...before.keys(), ...this.#disabled.keys()]);
    const keys = new Map([...before].map(([name, { entry }]) => [name, configurationKey(entry)]));
    const same = (entry: ServerEntry): boolean => keys.get(entry.name) === configurationKey(entry);
    const kept = new Set(servers.filter(same).map(({ name }) => name));
    const after = new Map(servers.map((entry) => [entry.name, this.#slotFor(entry)]));
    const faulty = new Map(disabled.map((one) => [one.name, one]));
    for (const [name, slot] of before) if (after.get(name) !== slot) this.#retire(slot);
    this.#slots = after;
    this.#disabled = faulty;
    const now = [...after.keys(), ...[...faulty.keys()].filter((name) => !after.has(name))];
    return {
      added: now.filter((name) => !names.has(name)),
      changed: now.filter((name) => names.has(name) && !kept.has(name)),
      removed: [...names].filter((name) => !after.has(name) && !faulty.has(name)),
    };
  }

  /** The server of this name, switched on or off; `undefined`: there is none, or a fault disables it. */
  find(name: string): ServerSlot | undefined {
    return this.#slots.get(name);
  }

  /** Whether `slot` is what its name stands for now. */
  isCurrent(slot: ServerSlot): boolean {
    return this.#slots.get(slot.entry.name) === slot;
  }

  /**
   * The server of this name, when it may be used.
   *
   * @throws {HostError} `SERVER_UNKNOWN` when there is none.
   * @throws {HostError} `SERVER_DISABLED` when it is switched off, or a fault disables it, whose file and line it says.
   */
  require(name: string): ServerSlot {
    const slot = this.#slots.get(name);
    if (slot?.entry.enabled) return slot;
    const what = `Cannot use the server ${quote(name)}`;
    const fault = this.#disabled.get(name)?.faults[0];
    const [code, state] = slot !== undefined
      ? ["SERVER_DISABLED", "the configuration switches it off"] as const
      : fault !== undefined
      ? ["SERVER_DISABLED", renderFault(fault)] as const
      : ["SERVER_UNKNOWN", "the configuration names no such server"] as const;
    throw new HostError(code, `${what}: ${state}`, { server: name });
  }

  /** Closes every connection, whatever is done with it. Resolves when all are gone. */
  async close(): Promise<void> {
    const slots = [...this.#slots.values(), ...this.#retiring.keys()];
    await Promise.all(slots.map((slot) => slot.connection?.close()));
    await Promise.all(this.#retiring.values());
  }

  #slotFor(entry: ServerEntry): ServerSlot {
    const key = entry.enabled ? connectionKey(entry) : "";
    const kept = this.#slots.get(entry.name);
    if (kept?.key === key) {
      kept.entry = entry;
      return kept;
    }
    return new ServerSlot(entry, { key, connection: entry.enabled ? this.#connect(entry) : null });
  }

  #retire(slot: ServerSlot): void {
    const work = slot.retire().finally(() => this.#retiring.delete(slot));
    work.catch(() => {}); // whoever closes the set is told
    this.#retiring.set(slot, work);
  }
}
