/**
 * Reads a host's configuration, at its start and whenever it is asked to, one reading after the other. What a reading
 * came to is told to the servers, to the enterprise servers and to the embedding program.
 *
 * | the reading | ordinary servers | enterprise servers |
 * |---|---|---|
 * | is taken | as it says | as it says |
 * | breaks a rule of host policy | as before | every thread is revoked until one is taken |
 * | could not be had | as before | not used until one is taken, and nothing is lost |
 *
 * @module
 */

import { renderFault } from "../../../../core/configuration/fault_text.ts";
import type { HostConfiguration } from "../../../../core/configuration/host_configuration.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { type CodexMcpError, HostError } from "../../../../core/errors.ts";
import { follow } from "../../../async/follow.ts";
import { unlessAborted } from "../../../async/unless_aborted.ts";
import {
  type HostConfigurationOutcome,
  loadHostConfiguration,
} from "../../../configuration/load_configuration.ts";
import { watchManaged } from "../../../configuration/managed.ts";
import { unavailable } from "../../../configuration/policy_file.ts";
import type { Watching } from "../../../configuration/source.ts";
import type { ConfigurationSource, ManagedSource } from "../../../configuration/source.ts";
import type { EnterpriseServers } from "../enterprise/threads/create_enterprise_servers.ts";
import type { EventHub } from "../events/host_events.ts";
import type { ServerSet } from "../servers/server_set.ts";
import type { SecretSource } from "./secret_source.ts";

/** What a reload came to. */
export type ReloadOutcome =
  /** It was taken. The names of the servers that came, changed, and went. */
  | {
    readonly accepted: true;
    readonly added: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
  }
  /** It was not taken: the one before stays, and enterprise servers are not used. */
  | { readonly accepted: false; readonly code: string; readonly message: string };

/** Who is told. */
export interface ConfigurationReaderOptions {
  /** Where the configuration comes from. */
  readonly host: {
    readonly configuration: ConfigurationSource;
    readonly managed?: ManagedSource | undefined;
    readonly environment: Readonly<Record<string, string | undefined>>;
  };
  /** The servers. */
  readonly servers: ServerSet;
  /** The enterprise servers. */
  readonly enterprise: EnterpriseServers;
  /** Reads what the layers hold. */
  readonly secrets: SecretSource;
  /** Tells the embedding program. */
  readonly hub: EventHub;
  /** Milliseconds that the sources may take for one reading; absent: 60,000. */
  readonly readMs?: number | undefined;
}

/** Milliseconds that the sources may take for one reading. A source has shorter limits of its own where it can hang. */
const READ_MS = 60_000;

/** Reads a host's configuration. */
export class ConfigurationReader {
  readonly #options: ConfigurationReaderOptions;
  /** What the file of the managed configuration was, for who watches it. */
  readonly #seen = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();
  #configuration: HostConfiguration | null = null;
  #remarks: readonly string[] = [];

  /** Nothing is read yet. */
  constructor(options: ConfigurationReaderOptions) {
    this.#options = options;
  }

  /** The configuration in force; `null`: none was taken yet. */
  get configuration(): HostConfiguration | null {
    return this.#configuration;
  }

  /** What is accepted and should be changed, a sentence each, with file and line where they are known. */
  get warnings(): readonly string[] {
    return [...this.#remarks, ...(this.#configuration?.warnings ?? []).map(renderFault)];
  }

  /**
   * Reads it for the first time.
   *
   * @throws {HostError} `CONFIGURATION_INVALID` when it breaks a rule of host policy.
   * @throws {EnterpriseError} `CONFIGURATION_UNAVAILABLE` when it could not be read.
   */
  async first(signal: AbortSignal): Promise<void> {
    const outcome = await this.#read(signal);
    if (outcome.kind !== "loaded") throw this.#refuse(outcome);
    await this.#take(outcome);
  }

  /** Reads it again, after the readings before. Rejects with the reason of `signal` alone, whatever those do. */
  async again(signal: AbortSignal): Promise<ReloadOutcome> {
    const before = this.#last;
    const work = before.then(() => this.#again(signal));
    this.#last = work.catch(() => {}); // the next reading does not depend on this one
    return await unlessAborted(() => work, signal);
  }

  /** Calls `onChange` after what was read has changed. Gives back what ends that. */
  watch(onChange: () => void): readonly Watching[] {
    const { configuration, managed } = this.#options.host;
    const sources = [
      configuration.watch?.(onChange),
      managed === undefined ? null : watchManaged(managed, { seen: this.#seen, onChange }),
    ];
    return sources.filter((one) => one !== null && one !== undefined);
  }

  async #again(signal: AbortSignal): Promise<ReloadOutcome> {
    signal.throwIfAborted();
    const outcome = await this.#read(signal);
    signal.throwIfAborted();
    if (outcome.kind === "loaded") return await this.#take(outcome);
    const { code, message } = this.#refuse(outcome);
    this.#options.hub.emit({ kind: "configuration-rejected", code, message });
    return { accepted: false, code, message };
  }

  async #read(signal: AbortSignal): Promise<HostConfigurationOutcome> {
    const { configuration, managed = null, environment } = this.#options.host;
    const { controller, stop } = follow(signal);
    const { signal: ending } = controller;
    const timer = setTimeout(() => controller.abort(), this.#options.readMs ?? READ_MS);
    try {
      const options = { environment, signal: ending, seen: this.#seen };
      const reading = loadHostConfiguration(configuration, managed, options);
      return await unlessAborted(() => reading, ending); // a source of somebody else may not listen
    } catch (error) {
      if (signal.aborted || !ending.aborted) throw error;
      return unavailable("configuration", "TIMEOUT");
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  async #take(outcome: HostConfigurationOutcome & { readonly kind: "loaded" }): Promise<ReloadOutcome> {
    const { servers, enterprise, secrets, hub } = this.#options;
    secrets.useLayers(outcome.layers);
    await enterprise.load(outcome.configuration.enterprise);
    const first = this.#configuration === null;
    this.#configuration = outcome.configuration;
    this.#remarks = outcome.remarks;
    const changes = servers.apply(outcome.configuration);
    if (!first) hub.emit({ kind: "configuration-changed", ...changes });
    return { accepted: true, ...changes };
  }

  #refuse(outcome: Exclude<HostConfigurationOutcome, { readonly kind: "loaded" }>): CodexMcpError {
    const { enterprise } = this.#options;
    if (outcome.kind === "rejected") {
      enterprise.reject(outcome.fault);
      return new HostError("CONFIGURATION_INVALID", renderFault(outcome.fault));
    }
    enterprise.unavailable();
    const { reason, message } = outcome;
    return new EnterpriseError("CONFIGURATION_UNAVAILABLE", message, { reason });
  }
}
