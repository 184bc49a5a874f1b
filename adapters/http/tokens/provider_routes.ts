/**
 * Whose state a server or a name of the configuration belongs to. There is one state for each issuer and client id,
 * because that is one sign-in: two names with the same of both share it. A server that comes from another state brings
 * its threads along, so that a revocation there is none the less one here.
 *
 * What a host calls is in `enterprise_tokens.ts`; the states are `provider_tokens.ts`'s.
 *
 * @module
 */

import type { EnterpriseConfiguration } from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { ServerEntry } from "../authorization/server_registry.ts";
import type { ProviderTokens } from "./provider_tokens.ts";
import { rejectedBy, type ServerFaults } from "./server_faults.ts";

/** What a configuration is taken with. */
export interface RouteLoad {
  /** The servers of the configuration. */
  readonly entries: readonly ServerEntry[];
  /** What is wrong with it. */
  readonly faults: ServerFaults;
  /** Begins the state of a client that had none. */
  readonly begin: (provider: EnterpriseProvider) => ProviderTokens;
}

/** An identity provider by its name, and its state. */
export interface NamedProvider {
  /** As it is configured under this name. */
  readonly provider: EnterpriseProvider;
  /** Its state. */
  readonly tokens: ProviderTokens;
}

/** Finds the state for a server and for the name of an identity provider. */
export class ProviderRoutes {
  readonly #states = new Map<string, ProviderTokens>();
  readonly #servers = new Map<string, string>();
  readonly #names = new Map<string, EnterpriseProvider>();

  /** Every state, also of clients that are configured no more. */
  get all(): readonly ProviderTokens[] {
    return [...this.#states.values()];
  }

  /** Takes a configuration. A provider that became invalid takes all of its servers along. */
  load(
    { providers }: Pick<EnterpriseConfiguration, "providers">,
    { entries, faults, begin }: RouteLoad,
  ): void {
    const current = new Map(providers.map((provider) => [keyOf(provider), provider]));
    for (const provider of providers) this.#names.set(provider.name, provider);
    for (const [key, provider] of current) {
      if (!this.#states.has(key)) this.#states.set(key, begin(provider));
    }
    for (const [key, tokens] of this.#states) {
      const fault = current.has(key) ? null : faults.ofProviders;
      if (fault !== null) tokens.withoutConfiguration(rejectedBy(fault));
      else tokens.load(current.get(key), entries.filter(({ provider }) => keyOf(provider) === key));
    }
    for (const { server: { name }, provider } of entries) this.#move(name, keyOf(provider));
  }

  /** Who has the server now, else who had it last: a server that is gone still has threads to refuse. */
  of(server: string): ProviderTokens {
    const found = this.#states.get(this.#servers.get(server) ?? "") ?? this.all[0];
    if (found !== undefined) return found;
    const message = "Cannot use a server: no configuration was loaded";
    throw new EnterpriseError("CONFIGURATION_UNAVAILABLE", message);
  }

  /** The identity provider that has this name now, else the last one that had it. */
  named(name: string): NamedProvider {
    const provider = this.#names.get(name);
    const tokens = provider === undefined ? undefined : this.#states.get(keyOf(provider));
    if (provider !== undefined && tokens !== undefined) return { provider, tokens };
    const message = "Cannot use the identity provider: the configuration names none of that name";
    throw new EnterpriseError("CONFIGURATION_REFUSED", message, { reason: "PROVIDER_UNKNOWN" });
  }

  #move(server: string, key: string): void {
    const before = this.#servers.get(server);
    this.#servers.set(server, key);
    if (before === undefined || before === key) return;
    this.#states.get(key)?.carry(server, this.#states.get(before)?.threadsOf(server) ?? []);
  }
}

/** One state for each issuer and client id. */
function keyOf({ issuer, client }: EnterpriseProvider): string {
  return JSON.stringify([issuer, client.clientId]);
}
