/**
 * What all layers of configuration say about every server, ordinary and enterprise. A broken entry disables its own
 * server, with the reason; the others work.
 *
 * Which layers count for a server is decided in `server_holders.ts`, what an ordinary server's fields mean in
 * `settings.ts`, `stdio_entry.ts` and `http_entry.ts`, and everything about enterprise servers in
 * `core/enterprise/config`. Which files there are is an adapter's knowledge.
 *
 * @module
 */

import {
  type DisabledServer,
  type EnterpriseConfiguration,
  readConfiguration,
} from "../enterprise/config/configuration.ts";
import { selectsEnterprise, SERVER_ROOT, serverNames } from "../enterprise/config/server_layers.ts";
import type { Findings } from "../enterprise/config/table.ts";
import type { ServerEntry } from "./entry.ts";
import { translateLayer, type Translation } from "./foreign.ts";
import type { HostConfiguration } from "./host_configuration.ts";
import { readHttpEntry } from "./http_entry.ts";
import type { PlaceholderValues, ServerLayer } from "./layer.ts";
import type { ConfigurationFault, ConfigurationWarning } from "./layers/fault.ts";
import { type ConfigurationLayer, isHostPolicy, policyLayers, valueAt } from "./layers/layer.ts";
import { mapFindings } from "./map_findings.ts";
import { hasField, isTable, mergeServer, refuse } from "./merged_server.ts";
import { renamed } from "./renamed.ts";
import { holdersOf } from "./server_holders.ts";
import { readSettings } from "./settings.ts";
import { readStdioEntry } from "./stdio_entry.ts";

/**
 * Reads the servers. The order of `layers` matters only among layers of one kind, where a later one is stronger;
 * `values` fill the placeholders in the files of other hosts. Never throws: what cannot be used is in `faults` and
 * `disabled`.
 *
 * @example
 * ```ts
 * import { readServers } from "./servers.ts";
 *
 * const values = { mcp_servers: { files: { command: "mcp-files", args: ["/srv"] }, web: { url: "no url" } } };
 * const { servers, disabled } = readServers([{ kind: "user", source: "config.toml", values, codexFile: true }]);
 * console.log(servers.map(({ name, kind }) => `${name}: ${kind}`)); // [ "files: stdio" ]
 * console.log(disabled.map(({ name, faults }) => `${name}: ${faults[0].code}`)); // [ "web: URL_REFUSED" ]
 * ```
 */
export function readServers(
  layers: readonly ServerLayer[],
  values: PlaceholderValues = {},
): HostConfiguration {
  const translations = layers.map((layer) => translateLayer(layer, values));
  const read = translations.map(({ layer }) => layer);
  const enterprise = readConfiguration(read.map((layer) => withoutOrdinary(layer, read)));
  const servers: ServerEntry[] = [];
  const disabled: DisabledServer[] = [];
  const findings: Findings = { faults: [...enterprise.faults], warnings: [...enterprise.warnings] };
  for (const name of serverNames(read)) {
    const found: Findings = { faults: [], warnings: findings.warnings };
    found.faults.push(...enterprise.disabled.find((one) => one.name === name)?.faults ?? []);
    const entry = readEntry(read, { name, translations, enterprise, findings: found });
    const [first, ...rest] = once(found.faults);
    if (first !== undefined) disabled.push({ name, faults: [first, ...rest] });
    else if (entry !== null) servers.push(entry);
    findings.faults.push(...found.faults);
  }
  return inTheirWords({
    servers,
    disabled,
    faults: once(findings.faults),
    warnings: once(findings.warnings),
    enterprise: withoutServers(enterprise, disabled),
  }, translations);
}

/** A project's layer without the ordinary servers that host policy names: it changes nothing about them. */
function withoutOrdinary(layer: ServerLayer, layers: readonly ServerLayer[]): ConfigurationLayer {
  const servers = valueAt(layer.values, [SERVER_ROOT]);
  if (isHostPolicy(layer) || !isTable(servers) || !isTable(layer.values)) return layer;
  const policy = serverNames(policyLayers(layers)).filter((name) => !selectsEnterprise(layers, name));
  const kept = Object.entries(servers).filter(([name]) => !policy.includes(name));
  return { ...layer, values: { ...layer.values, [SERVER_ROOT]: Object.fromEntries(kept) } };
}

interface EntryContext {
  readonly name: string;
  readonly translations: readonly Translation[];
  readonly enterprise: EnterpriseConfiguration;
  readonly findings: Findings;
}

function readEntry(
  layers: readonly ServerLayer[],
  { name, translations, enterprise, findings }: EntryContext,
): ServerEntry | null {
  const [strongest, ...weaker] = holdersOf(layers, { name, findings });
  if (strongest === undefined) return null;
  const server = mergeServer([strongest, ...weaker], { name, findings });
  // deno-lint-ignore no-control-regex
  if (!/^[^\x00-\x1f\x7f]{1,200}$/.test(name)) {
    refuse(server, ["NAME_MALFORMED", [], "a name has 1 to 200 characters and no control characters."]);
  }
  for (const { layer, faults } of translations) {
    if (server.layers.includes(layer)) findings.faults.push(...faults.get(name) ?? []);
  }
  const settings = readSettings(server);
  if (selectsEnterprise(layers, name)) {
    const found = enterprise.servers.find((one) => one.name === name);
    return found === undefined ? null : { ...settings, kind: "enterprise", server: found };
  }
  const refused = findings.faults.some(({ code, path }) => code === "LAYER_NOT_TRUSTED" || path.length === 2);
  if (refused) return null;
  if (hasField(server, "command")) return readStdioEntry(server, settings);
  if (hasField(server, "url")) return readHttpEntry(server, settings);
  if (findings.faults.length === 0) {
    refuse(server, ["TRANSPORT_MISSING", [], "it has neither a command nor a url."]);
  }
  return null;
}

/** The enterprise half without the servers that a fault of their other settings disables. */
function withoutServers(
  enterprise: EnterpriseConfiguration,
  disabled: readonly DisabledServer[],
): EnterpriseConfiguration {
  const out = disabled.filter(({ name }) => enterprise.servers.some((server) => server.name === name));
  if (out.length === 0) return enterprise;
  return {
    ...enterprise,
    servers: enterprise.servers.filter(({ name }) => !out.some((one) => one.name === name)),
    disabled: [...enterprise.disabled, ...out],
    faults: once([...enterprise.faults, ...out.flatMap(({ faults }) => faults)]),
  };
}

/** Each finding once: both halves may meet the same. */
function once<Found extends ConfigurationFault | ConfigurationWarning>(
  found: readonly Found[],
): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ code, path, layer }) => {
    const key = JSON.stringify([code, path, layer?.kind, layer?.source]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Every finding under the names that its file has. */
function inTheirWords(
  configuration: HostConfiguration,
  translations: readonly Translation[],
): HostConfiguration {
  return mapFindings(configuration, (found) => {
    const rename = translations.find(({ layer }) => layer.source === found.layer?.source)?.rename ?? null;
    return rename === null ? found : renamed(found, rename);
  });
}
