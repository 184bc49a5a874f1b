/**
 * Where configuration comes from. A layer is one parsed file with its provenance; its values are kept verbatim.
 * Only host policy may select enterprise authentication: the system's, the administrator's and the user's own
 * layers. Which file is which layer is an adapter's knowledge, as is the parsing of TOML.
 *
 * @module
 */

import { isJsonObject, ownProperty } from "../../json/value.ts";

/** Whose layer it is. */
export type LayerKind =
  /** The machine's own configuration. */
  | "system"
  /** The administrator's managed configuration; stronger than all others. */
  | "administrator"
  /** The user's own file. */
  | "user"
  /** A file in the workspace, or one that others may write. */
  | "project"
  /** What a plugin brings. */
  | "plugin";

/** One source of configuration. */
export interface ConfigurationLayer {
  /** Whose it is. */
  readonly kind: LayerKind;
  /** Its name for people, such as the path of the file; unique among the layers. */
  readonly source: string;
  /** The parsed content. */
  readonly values: unknown;
  /** Whether it is Codex's own file, where an inline secret is read with a warning. */
  readonly codexFile: boolean;
}

/** A layer as faults and provenance name it. */
export interface LayerName {
  /** Whose it is. */
  readonly kind: LayerKind;
  /** Its name for people. */
  readonly source: string;
}

const RANKS: Readonly<Record<LayerKind, number>> = {
  plugin: 0,
  project: 0,
  system: 1,
  user: 2,
  administrator: 3,
};

/** Whether the layer is host policy: the system's, the administrator's or the user's. */
export function isHostPolicy(layer: { readonly kind: LayerKind }): boolean {
  return RANKS[layer.kind] > 0;
}

/** The host policy among `layers`, the strongest first; of one kind the later in `layers` is the stronger. */
export function policyLayers(layers: readonly ConfigurationLayer[]): readonly ConfigurationLayer[] {
  return layers.filter(isHostPolicy).toReversed().toSorted((a, b) => RANKS[b.kind] - RANKS[a.kind]);
}

/** Name of `layer`. */
export function nameOf(layer: ConfigurationLayer): LayerName {
  return { kind: layer.kind, source: layer.source };
}

/** The value at `path` in `values`, own properties only; `undefined` when there is none. */
export function valueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const step of path) value = ownProperty(value, step);
  return value;
}

/** The names of the own members of the table at `path`; empty when there is no table. */
export function namesAt(values: unknown, path: readonly string[]): readonly string[] {
  const table = valueAt(values, path);
  return isJsonObject(table) ? Object.keys(table) : [];
}
