/**
 * Which servers the configuration disables, and why; and what is wrong with its identity providers.
 *
 * The rules are in `core/enterprise/config/`.
 *
 * @module
 */

import { type ConfigurationFault, faultOf } from "../../../core/configuration/layers/fault.ts";
import type { RegisteredServer } from "../../../core/enterprise/authorization/event.ts";
import type {
  DisabledServer,
  EnterpriseConfiguration,
} from "../../../core/enterprise/config/configuration.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import { SERVER_ROOT } from "../../../core/enterprise/config/server_layers.ts";
import type { ServerEntry } from "../authorization/server_registry.ts";
import type { ConfigurationEvent } from "./provider_options.ts";

/** The faults of the configuration that is in force. */
export class ServerFaults {
  #disabled: readonly DisabledServer[] = [];
  #providers: ConfigurationFault | null = null;

  /** The first fault of an identity provider; `null`: none. */
  get ofProviders(): ConfigurationFault | null {
    return this.#providers;
  }

  /** Takes the faults of a configuration. A server that is switched off counts as one that cannot be used. */
  load({ disabled, faults, servers }: EnterpriseConfiguration): void {
    this.#disabled = [...disabled, ...servers.filter(({ enabled }) => !enabled).map(switchedOff)];
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

function switchedOff({ name }: EnterpriseServer): DisabledServer {
  const state = "the server is switched off.";
  return {
    name,
    faults: [faultOf("SWITCHED_OFF", { path: [SERVER_ROOT, name, "enabled"], layer: null, state })],
  };
}

/** What is registered before and what is wrong now. */
export interface RegisteredBefore {
  /** The servers of the state. */
  readonly before: readonly RegisteredServer[];
  /** The faults of the configuration that is in force. */
  readonly faults: ServerFaults;
}

/** The servers as the state is told of them: those that are configured, and those that were there and are disabled. */
export function registeredServers(
  entries: readonly ServerEntry[],
  { before, faults }: RegisteredBefore,
): readonly RegisteredServer[] {
  const configured = entries.map(({ server: { name }, fingerprint }): RegisteredServer => {
    return { name, fingerprint, disabled: faults.of(name)?.code ?? null };
  });
  const gone = before.filter(({ name }) => !entries.some(({ server }) => server.name === name));
  const disabled = gone.flatMap(({ name, fingerprint }): RegisteredServer[] => {
    const fault = faults.of(name);
    return fault === null ? [] : [{ name, fingerprint, disabled: fault.code }];
  });
  return [...configured, ...disabled];
}

/** The event that says which field of the configuration is invalid, in whose layer. */
export function rejectedBy(
  { field, layer }: Pick<ConfigurationFault, "field" | "layer">,
): ConfigurationEvent {
  return { kind: "configuration-rejected", field, layer };
}
