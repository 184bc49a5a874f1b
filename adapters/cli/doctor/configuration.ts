/**
 * What the doctor says about the configuration: whether it can be read, and the faults in it.
 *
 * @module
 */

import { renderFault } from "../../../core/configuration/fault_text.ts";
import type { HostConfiguration } from "../../../core/configuration/host_configuration.ts";
import type { ConfigurationFault } from "../../../core/configuration/layers/fault.ts";
import type { DisabledServer } from "../../../core/enterprise/config/configuration.ts";
import { AGAIN } from "./again.ts";
import type { Finding } from "./finding.ts";

/** The finding of a server that a fault disables. */
export function faultFinding({ name, faults }: DisabledServer): Finding {
  const found = onceForAFile(faults).map(renderFault).join(" ").replace(/\.$/, "");
  return { ...failed(faults[0]), id: "server", subject: name, found };
}

/** The faults of identity providers on which the servers of `meant` that a fault disables depend. */
export function providerFindings(
  { faults }: Pick<HostConfiguration, "faults">,
  meant: readonly DisabledServer[],
): readonly Finding[] {
  const refusals = meant.flatMap((one) => one.faults).filter(({ code }) => code === "PROVIDER_REFUSED");
  const found = faults.filter((fault) =>
    fault.code !== "PROVIDER_REFUSED" && refusals.some(({ message }) => message.includes(`${fault.field} (`))
  );
  return [...new Map(found.map((fault) => [renderFault(fault), fault])).values()].map(failed);
}

/** The faults that belong to no single server, and what else there is; nothing where nothing is configured. */
export function configurationFindings(
  { servers, disabled, faults, warnings, enterprise }: HostConfiguration,
): readonly Finding[] {
  const told = new Set(disabled.flatMap((one) => one.faults.map(renderFault)));
  const rest = new Map(faults.map((fault) => [renderFault(fault), fault]));
  for (const text of told) rest.delete(text);
  if (rest.size > 0) return onceForAFile([...rest.values()]).map(failed);
  const count = servers.length + disabled.length;
  if (count === 0 && enterprise.providers.length === 0 && warnings.length === 0) return [];
  const what = warnings.length === 0 ? "" : `; to be changed: ${warnings.map(renderFault).join(" ")}`;
  const names = count === 1 ? "1 server is configured" : `${count} servers are configured`;
  return [{ id: "configuration", status: "ok", found: `${names}${what}` }];
}

/** The faults; of a file that is not trusted, for which every field is one, the first. */
function onceForAFile(faults: readonly ConfigurationFault[]): readonly ConfigurationFault[] {
  const isUntrusted = ({ code }: ConfigurationFault): boolean => code === "LAYER_NOT_TRUSTED";
  return faults.filter((fault, index) =>
    !isUntrusted(fault) ||
    !faults.slice(0, index).some((one) => isUntrusted(one) && one.layer?.source === fault.layer?.source)
  );
}

const MOVE =
  "move the file to where only you may write it, outside of the project, or say it in config.toml in CODEX_HOME";

function failed(fault: ConfigurationFault): Finding {
  return {
    id: "configuration",
    status: "failed",
    code: fault.code,
    found: renderFault(fault).replace(/\.$/, ""),
    fix: `${fault.code === "LAYER_NOT_TRUSTED" ? MOVE : "correct it"}, then run: ${AGAIN}`,
  };
}
