/**
 * The same change made to every fault and warning of a configuration, wherever it stands in it.
 *
 * @module
 */

import type { DisabledServer, EnterpriseConfiguration } from "../enterprise/config/configuration.ts";
import type { HostConfiguration } from "./host_configuration.ts";
import type { ConfigurationFault, ConfigurationWarning } from "./layers/fault.ts";

/** A change of a finding that keeps what it is. */
export type FindingChange = <Found extends ConfigurationFault | ConfigurationWarning>(found: Found) => Found;

/** `configuration` with each finding changed. */
export function mapFindings(configuration: HostConfiguration, change: FindingChange): HostConfiguration {
  return {
    ...mapHalf(configuration, change),
    servers: configuration.servers,
    enterprise: { ...configuration.enterprise, ...mapHalf(configuration.enterprise, change) },
  };
}

function mapHalf(
  { disabled, faults, warnings }: Pick<EnterpriseConfiguration, "disabled" | "faults" | "warnings">,
  change: FindingChange,
): Pick<EnterpriseConfiguration, "disabled" | "faults" | "warnings"> {
  return {
    disabled: disabled.map(({ name, faults: [first, ...rest] }): DisabledServer => ({
      name,
      faults: [change(first), ...rest.map((fault) => change(fault))],
    })),
    faults: faults.map((fault) => change(fault)),
    warnings: warnings.map((warning) => change(warning)),
  };
}
