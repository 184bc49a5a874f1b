/**
 * Whether host policy switches enterprise-managed authorization on: `use_xaa = true` under `[features]`, of the
 * strongest layer that says it. A key that nearly says it is warned about, since without it every server is off.
 *
 * What an enterprise server does while it is off is decided in `configuration.ts`.
 *
 * @module
 */

import { type ConfigurationFault, faultOf, warningOf } from "../../configuration/layers/fault.ts";
import {
  type ConfigurationLayer,
  isHostPolicy,
  nameOf,
  namesAt,
  policyLayers,
  valueAt,
} from "../../configuration/layers/layer.ts";
import { isNoTable } from "../../configuration/layers/root_table.ts";
import type { Findings } from "./table.ts";

/** Path of the table that holds the features. */
export const FEATURES: readonly string[] = ["features"];

const FEATURE: readonly string[] = [...FEATURES, "use_xaa"];

/** Tables that may be meant to be `features`; the empty path is the top of the file. */
const MISTAKEN: readonly (readonly string[])[] = [[], ["feature"]];

/** The fault of what needs the feature while it is off. */
export function featureOff(): ConfigurationFault {
  return faultOf("FEATURE_OFF", {
    path: FEATURE,
    layer: null,
    state:
      "it is not switched on. Set use_xaa = true under [features], in the system's, the administrator's or the " +
      "user's configuration.",
  });
}

/** Whether the feature is on. */
export function readFeature(layers: readonly ConfigurationLayer[], findings: Findings): boolean {
  for (const layer of layers.filter((one) => !isHostPolicy(one) && valueAt(one.values, FEATURE) === true)) {
    findings.faults.push(faultOf("LAYER_NOT_TRUSTED", {
      path: FEATURE,
      layer: nameOf(layer),
      state: "only the system's, the administrator's or the user's configuration switches it on.",
    }));
  }
  const policy = policyLayers(layers);
  for (const layer of policy) warnOfNeighbours(layer, findings);
  // a layer whose features cannot be read does not leave the word to a weaker one
  const holder = policy.find(({ values }) =>
    isNoTable(values, FEATURES) || valueAt(values, FEATURE) !== undefined
  );
  const value = valueAt(holder?.values, FEATURE);
  if (value !== undefined && holder !== undefined && typeof value !== "boolean") {
    findings.faults.push(
      faultOf("FIELD_TYPE", { path: FEATURE, layer: nameOf(holder), state: "it must be true or false." }),
    );
  }
  return value === true;
}

function warnOfNeighbours(layer: ConfigurationLayer, { warnings }: Findings): void {
  const near = [
    ...namesAt(layer.values, FEATURES).filter((name) => name !== "use_xaa").map((
      name,
    ) => [...FEATURES, name]),
    ...MISTAKEN.flatMap((path) => namesAt(layer.values, path).map((name) => [...path, name])),
  ].filter((path) => isNear(path.at(-1) ?? ""));
  for (const path of near) {
    warnings.push(warningOf("FIELD_UNKNOWN", {
      path,
      layer: nameOf(layer),
      text: (place) =>
        `The field ${place} is not known here and was not read. The switch is use_xaa under [features].`,
    }));
  }
}

/** Whether `name` looks as if it were meant to be `use_xaa`. */
function isNear(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z]/g, "");
  return letters.includes("xaa") || /^use[xa]{2,4}$/.test(letters);
}
