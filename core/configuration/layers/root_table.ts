/**
 * The root tables of the configuration, and the tables of its servers, where something else stands in their place: then
 * nothing under them can be read, and it is said, instead of taking the layer for one that has none.
 *
 * What follows for identity providers is decided in `core/enterprise/config/provider.ts`, for the feature and the
 * servers in `core/enterprise/config/configuration.ts`, for servers without enterprise authentication in
 * `core/configuration/server_holders.ts`. What a project or a plugin has there decides nothing anyway.
 *
 * @module
 */

import { isJsonObject } from "../../json/value.ts";
import { type ConfigurationFault, faultOf } from "./fault.ts";
import { type ConfigurationLayer, nameOf, policyLayers, valueAt } from "./layer.ts";

/** Whether something other than a table stands at `path`. A date is an object, and no table. */
export function isNoTable(values: unknown, path: readonly string[]): boolean {
  const value = valueAt(values, path);
  return value !== undefined && (!isJsonObject(value) || value instanceof Date);
}

/** The fault `FIELD_TYPE` of each layer of host policy that has something other than a table at one of `paths`. */
export function rootFaults(
  layers: readonly ConfigurationLayer[],
  paths: readonly (readonly string[])[],
): readonly ConfigurationFault[] {
  return policyLayers(layers).flatMap((layer) =>
    paths.filter((path) => isNoTable(layer.values, path)).map((path) =>
      faultOf("FIELD_TYPE", {
        path,
        layer: nameOf(layer),
        state: "it must be a table. Nothing of it was read.",
      })
    )
  );
}
