/**
 * What all layers of configuration say together, for a host: the servers that can be used, and those that cannot.
 *
 * It is read in `servers.ts`.
 *
 * @module
 */

import type { DisabledServer, EnterpriseConfiguration } from "../enterprise/config/configuration.ts";
import type { ServerEntry } from "./entry.ts";
import type { ConfigurationFault, ConfigurationWarning } from "./layers/fault.ts";

/** What the layers say together. */
export interface HostConfiguration {
  /** The servers that can be used, in the order in which the layers name them; `enabled = false` ones are here too. */
  readonly servers: readonly ServerEntry[];
  /** The servers that cannot, ordinary and enterprise, each with why. */
  readonly disabled: readonly DisabledServer[];
  /** Every fault, also those that concern no single server. */
  readonly faults: readonly ConfigurationFault[];
  /** What is accepted and should be changed, each once. */
  readonly warnings: readonly ConfigurationWarning[];
  /** The half of enterprise-managed authorization. Its servers are exactly the enterprise ones in `servers`. */
  readonly enterprise: EnterpriseConfiguration;
}
