/**
 * What the doctor says about the configuration: whether it can be read, and the faults in it.
 *
 * @module
 */

import { renderFault } from "../../../core/configuration/fault_text.ts";
import type { HostConfiguration } from "../../../core/configuration/host_configuration.ts";
import type { ConfigurationFault } from "../../../core/configuration/layers/fault.ts";
import type { DisabledServer } from "../../../core/enterprise/config/configuration.ts";
import { AGAIN } from "./failed_finding.ts";
import type { Finding } from "./finding.ts";

/** The finding of a server that a fault disables. */
export function faultFinding({ name, faults }: DisabledServer): Finding {
  const found = faults.map(renderFault).join(" ").replace(/\.$/, "");
  return { ...failed(faults[0]), id: "server", subject: name, found };
}

/** The faults that belong to no single server, and what else there is; nothing where nothing is configured. */
export function configurationFindings(
  { servers, disabled, faults, warnings, enterprise }: HostConfiguration,
): readonly Finding[] {
  const told = new Set(disabled.flatMap((one) => one.faults.map(renderFault)));
  const rest = new Map(faults.map((fault) => [renderFault(fault), fault]));
  for (const text of told) rest.delete(text);
  if (rest.size > 0) return [...rest.values()].map(failed);
  const count = servers.length + disabled.length;
  if (count === 0 && enterprise.providers.length === 0 && warnings.length === 0) return [];
  const what = warnings.length === 0 ? "" : `; to be changed: ${warnings.map(renderFault).join(" ")}`;
  const names = count === 1 ? "1 server is configured" : `${count} servers are configured`;
  return [{ id: "configuration", status: "ok", found: `${names}${what}` }];
}

function failed(fault: ConfigurationFault): Finding {
  return {
    id: "configuration",
    status: "failed",
    code: fault.code,
    found: renderFault(fault).replace(/\.$/, ""),
    fix: `correct it, then run: ${AGAIN}`,
  };
}
