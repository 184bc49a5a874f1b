/**
 * Whether host policy trusts a project: `[projects."<folder>"] trust_level = "trusted"`. The entry of the nearest
 * folder counts, up to the project's root; a folder above the project counts for nothing, as in the Codex CLI
 * 0.171.0.
 *
 * What a trusted project may do is decided in `server_holders.ts`.
 *
 * @module
 */

import { type ConfigurationLayer, namesAt, policyLayers, valueAt } from "./layers/layer.ts";

/** The folder that is asked about. */
export interface ProjectFolder {
  /** Real paths: the folder that holds `.codex`, then those above it up to the root of its project. */
  readonly folders: readonly string[];
  /** Whether paths that differ in case alone are one, as on Windows; absent: no. */
  readonly ignoreCase?: boolean;
}

/** Whether the host policy among `layers` trusts the folder. Projects and plugins trust nobody. */
export function trustsProject(
  layers: readonly ConfigurationLayer[],
  { folders, ignoreCase = false }: ProjectFolder,
): boolean {
  const policy = policyLayers(layers);
  for (const folder of folders) {
    for (const { values } of policy) {
      const level = namesAt(values, ["projects"])
        .filter((name) => name === folder || ignoreCase && name.toLowerCase() === folder.toLowerCase())
        .map((name) => valueAt(values, ["projects", name, "trust_level"]))
        .find((one) => one !== undefined);
      if (level !== undefined) return level === "trusted";
    }
  }
  return false;
}
