/**
 * Which servers the configuration disables, and why; and what is wrong with its identity providers.
 *
 * The rules are in `core/enterprise/config/`.
 *
 * @module
 */

import type { RegisteredServer } from "../../core/enterprise/authorization/event.ts";
import type { EnterpriseConfiguration } from "../../core/enterprise/config/configuration.ts";
import type { ConfigurationFault } from "../../core/enterprise/config/fault.ts";
import type { ConfigurationEvent } from "./provider_options.ts";
import type { ServerEntry } from "./server_registry.ts";

/** The faults of the configuration that is in force. */
export class ServerFaults {
  #disabled: EnterpriseConfiguration["disabled"] = [];
  #providers: ConfigurationFault | null = null;

  /** The first fault of an identity provider; `null`: none. */
  get ofProviders(): ConfigurationFault | null {
    return this.#providers;
  }

  /** Takes the faults of a configuration. */
  load({ disabled, faults }: EnterpriseConfiguration): void {
    this.#disabled = disabled;
    this.#providers =
      faults.find(({ field, code }) =>
        field.startsWith("mcp_enterprise_managed_auth") && code !== "LAYER_NOT_TRUSTED"
      ) ?? null;
  }

  /** The first rule that disables the server; `null`: none. */
  of(server: string): ConfigurationFault | null {
    return this.#disabled.find(({ name }) => name === server)?.faults[0] ?? null;
  }
}

/** What is registered before and what is wrong now. */
export interface RegisteredBefore {
  /** The servers of the state. */
  readonly before: readonly RegisteredServer[];
  /** The faults of the configuration that is in force. */
  readonly faults: ServerFaults;
}

/** The servers as the state is told of them: those that can be used, and those that were there and are disabled. */
export function registeredServers(
  entries: readonly ServerEntry[],
  { before, faults }: RegisteredBefore,
): readonly RegisteredServer[] {
  const enabled = entries.map(({ server: { name }, fingerprint }): RegisteredServer => {
    return { name, fingerprint, disabled: null };
  });
  const disabled = before.flatMap(({ name, fingerprint }): RegisteredServer[] => {
    const fault = faults.of(name);
    return fault === null ? [] : [{ name, fingerprint, disabled: fault.code }];
  });
  return [...enabled, ...disabled];
}

/** The event that says which field of the configuration is invalid, in whose layer. */
export function rejectedBy(
  { field, layer }: Pick<ConfigurationFault, "field" | "layer">,
): ConfigurationEvent {
  return { kind: "configuration-rejected", field, layer };
}
