/**
 * The whole configuration of a host: the layers of a source, the embedding program's managed configuration above them,
 * and what they say together, with the line of every field that is at fault.
 *
 * What the layers mean is decided in `core/configuration/servers.ts`; where they come from in the sources.
 *
 * @module
 */

import type { HostConfiguration } from "../../core/configuration/host_configuration.ts";
import type { PlaceholderValues, ServerLayer } from "../../core/configuration/layer.ts";
import type { ConfigurationFault } from "../../core/configuration/layers/fault.ts";
import { mapFindings } from "../../core/configuration/map_findings.ts";
import { readServers } from "../../core/configuration/servers.ts";
import type { LineIndex } from "./line_index.ts";
import { unavailable } from "./policy_file.ts";
import type {
  ConfigurationSource,
  LayerText,
  LoadOutcome,
  ManagedSource,
  RejectedConfiguration,
  UnavailableConfiguration,
} from "./source.ts";

/** What all sources say together. */
export interface LoadedHostConfiguration {
  /** Tells the outcomes apart. */
  readonly kind: "loaded";
  /** What the layers say. */
  readonly configuration: HostConfiguration;
  /** The layers themselves, for the secrets in them: never print them. */
  readonly layers: readonly ServerLayer[];
  /** Files that are not taken for what they were named as, or not read at all, a sentence each. */
  readonly remarks: readonly string[];
}

/** What became of the configuration. */
export type HostConfigurationOutcome =
  | LoadedHostConfiguration
  | RejectedConfiguration
  | UnavailableConfiguration;

/** What a loading depends on. */
export interface LoadOptions extends Pick<PlaceholderValues, "environment" | "home"> {
  /** Gives the loading up. */
  readonly signal?: AbortSignal;
  /** Where the fingerprint of the managed file goes, for `watchManaged`. */
  readonly seen?: Map<string, string>;
}

/**
 * Loads everything. `rejected`: the managed configuration, or a file of host policy, breaks a rule. `unavailable`: it
 * could not be read. Rejects only with the reason of `signal`.
 *
 * A fault in a field of the managed configuration rejects it whole: half of an administrator's word is none. A fault in
 * any other layer disables its own server, and the outcome is `loaded`.
 */
export async function loadHostConfiguration(
  source: ConfigurationSource,
  managed: ManagedSource | null = null,
  { signal, environment, home, seen }: LoadOptions = {},
): Promise<HostConfigurationOutcome> {
  const loaded = await loadSource(source, signal);
  if (loaded.kind !== "loaded") return loaded;
  const above = managed === null ? null : await (await import("./managed.ts")).loadManaged(managed, {
    signal,
    ...(seen === undefined ? {} : { seen }),
  });
  if (above !== null && above.kind !== "loaded") return above;
  const layers = [...loaded.layers, ...(above === null ? [] : [above.layer])];
  const texts = new Map(loaded.texts);
  if (above !== null) texts.set(above.layer.source, above.text);
  const configuration = await withLines(
    readServers(layers, {
      ...(environment === undefined ? {} : { environment }),
      ...(home === undefined ? {} : { home }),
      ...(loaded.workspace === null ? {} : { workspace: loaded.workspace }),
    }),
    texts,
  );
  const faults = above === null ? [] : configuration.faults.filter((fault) => rejects(fault, above.layer));
  const [fault] = faults;
  if (fault !== undefined) return { kind: "rejected", fault, faults };
  return { kind: "loaded", configuration, layers, remarks: loaded.remarks };
}

/** Whatever a source of somebody else throws, a configuration that does not come is unavailable. */
async function loadSource(
  source: ConfigurationSource,
  signal: AbortSignal | undefined,
): Promise<LoadOutcome> {
  signal?.throwIfAborted();
  try {
    return await source.load(signal);
  } catch {
    signal?.throwIfAborted();
    return unavailable("configuration", "SOURCE_FAILED");
  }
}

/**
 * A word about a server that is nowhere configured, such as `enabled = false`, is no mistake of the administrator's.
 */
function rejects({ code, layer }: ConfigurationFault, managed: ServerLayer): boolean {
  return layer !== null && layer.kind === managed.kind && layer.source === managed.source &&
    code !== "TRANSPORT_MISSING";
}

/** Every fault and warning with the line of its field. Each text is looked through once, and only when it is needed. */
async function withLines(
  configuration: HostConfiguration,
  texts: ReadonlyMap<string, LayerText>,
): Promise<HostConfiguration> {
  const halves = [configuration, configuration.enterprise];
  const findings = halves.flatMap(({ faults, warnings, disabled }) => [...faults, ...warnings, ...disabled]);
  if (findings.length === 0) return configuration;
  const { indexLines } = await import("./line_index.ts");
  const indexes = new Map<string, LineIndex>();
  const indexOf = (source: string): LineIndex | null => {
    const known = indexes.get(source);
    const text = texts.get(source);
    if (known !== undefined || text === undefined) return known ?? null;
    const index = indexLines(text);
    indexes.set(source, index);
    return index;
  };
  return mapFindings(configuration, (found) => {
    const line = found.layer === null ? null : indexOf(found.layer.source)?.lineOf(found.path) ?? null;
    return line === null ? found : { ...found, line };
  });
}
