/**
 * Which layers a server is read from. Host policy decides about every server that it names; a project or a plugin
 * neither changes nor adds to one of those: it could send the user's credentials elsewhere. A server that only they
 * name is used when its layer is admitted.
 *
 * Whether a project is trusted is decided in `project_trust.ts`; what untrusted layers try with enterprise
 * authentication in `core/enterprise/config/server_layers.ts`.
 *
 * @module
 */

import { SERVER_ROOT } from "../enterprise/config/server_layers.ts";
import type { Findings } from "../enterprise/config/table.ts";
import type { ServerLayer } from "./layer.ts";
import { faultOf, warningOf } from "./layers/fault.ts";
import {
  type ConfigurationLayer,
  isHostPolicy,
  type LayerKind,
  nameOf,
  policyLayers,
  valueAt,
} from "./layers/layer.ts";
import { rootFaults } from "./layers/root_table.ts";
import { isTable } from "./merged_server.ts";

const NOT_TRUSTED: Readonly<Partial<Record<LayerKind, string>>> = {
  project: "the user's configuration does not trust this project. " +
    'Add trust_level = "trusted" under [projects."<folder of the project>"] there.',
  plugin: "the servers of plugins are not used.",
};

/**
 * The layers that the server `name` is read from, the strongest first; none when a fault, which is then among the
 * findings, keeps it from being used. Layers that name it in vain give a warning.
 */
export function holdersOf(
  layers: readonly ServerLayer[],
  { name, findings }: { readonly name: string; readonly findings: Findings },
): readonly ConfigurationLayer[] {
  const path = [SERVER_ROOT, name];
  // what stands in place of all servers could have said something about this one
  const rootless = rootFaults(layers, [[SERVER_ROOT]]);
  findings.faults.push(...rootless);
  if (rootless.length > 0) return [];
  const naming = layers.filter((layer) => valueAt(layer.values, path) !== undefined);
  const policy = policyLayers(naming);
  const holders = policy.length > 0 ? policy : admitted(naming);
  if (holders.length === 0) {
    for (const layer of naming) {
      const state = NOT_TRUSTED[layer.kind] ?? "its layer may not name servers.";
      findings.faults.push(faultOf("LAYER_NOT_TRUSTED", { path, layer: nameOf(layer), state }));
    }
    return [];
  }
  for (const layer of naming.filter((one) => !holders.includes(one))) {
    const why = policy.length > 0
      ? "the system's, the administrator's or the user's configuration decides about this server"
      : "its project is not trusted";
    findings.warnings.push(warningOf("LAYER_IGNORED", {
      path,
      layer: nameOf(layer),
      text: (place) => `What stands in ${place} is not used: ${why}.`,
    }));
  }
  const broken = holders.filter((layer) => !isTable(valueAt(layer.values, path)));
  for (const layer of broken) {
    findings.faults.push(faultOf("FIELD_TYPE", { path, layer: nameOf(layer), state: "it must be a table." }));
  }
  return broken.length > 0 ? [] : holders;
}

/** A file that somebody named before a trusted project's; of one sort the later is the stronger. */
function admitted(layers: readonly ServerLayer[]): readonly ServerLayer[] {
  return layers.filter((layer) => !isHostPolicy(layer) && layer.admitted !== undefined)
    .toReversed()
    .toSorted((a, b) => Number(b.admitted === "named-file") - Number(a.admitted === "named-file"));
}
