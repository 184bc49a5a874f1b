/**
 * The whole configuration of enterprise-managed authorization, read from layers: the identity providers, the servers
 * that can be used, and those that cannot, each with the rule it breaks.
 *
 * The fields of a provider are read in `provider.ts`, those of a server in `server.ts`. One server's fault does not
 * touch another. What a changed configuration does to running threads is decided in `authorization/transition.ts`.
 *
 * @module
 */

import {
  type ConfigurationFault,
  type ConfigurationWarning,
  faultOf,
} from "../../configuration/layers/fault.ts";
import { type ConfigurationLayer, nameOf, policyLayers, valueAt } from "../../configuration/layers/layer.ts";
import { rootFaults } from "../../configuration/layers/root_table.ts";
import { featureOff, FEATURES, readFeature } from "./feature.ts";
import { type EnterpriseProvider, type ProviderResult, readProviders } from "./provider.ts";
import { type EnterpriseServer, type ReadServer, readServer } from "./server.ts";
import {
  AUTH_CHOICES,
  ENTERPRISE_FIELDS,
  isMeantForEnterprise,
  selectsEnterprise,
  SERVER_ROOT,
  serverNames,
  serverTables,
  untrustedFaults,
} from "./server_layers.ts";
import type { Findings } from "./table.ts";

/** A server that is meant to use enterprise authentication and cannot. */
export interface DisabledServer {
  /** Its name. */
  readonly name: string;
  /** Why, at least one, in the order of the checks. */
  readonly faults: readonly [ConfigurationFault, ...ConfigurationFault[]];
}

/** What the layers say together. */
export interface EnterpriseConfiguration {
  /** Whether host policy switches the feature on. */
  readonly enabled: boolean;
  /** The identity providers that can be used. */
  readonly providers: readonly EnterpriseProvider[];
  /** The servers that can be used; none while the feature is off. */
  readonly servers: readonly EnterpriseServer[];
  /** The servers that cannot. */
  readonly disabled: readonly DisabledServer[];
  /** Every fault, those of providers and of refused layers included. */
  readonly faults: readonly ConfigurationFault[];
  /** What is accepted and should be changed. */
  readonly warnings: readonly ConfigurationWarning[];
}

/**
 * Reads the configuration. The order of `layers` matters only among layers of one kind, where a later one is
 * stronger. Never throws: what cannot be used is in `faults` and `disabled`.
 *
 * @example
 * ```ts
 * import { readConfiguration } from "./configuration.ts";
 *
 * const values = {
 *   features: { use_xaa: true },
 *   mcp_enterprise_managed_auth: { idp: { issuer: "https://idp.example", client_id: "codex" } },
 *   mcp_servers: {
 *     tracker: { url: "https://mcp.example/mcp", auth: "ema_auth", oauth: { client_id: "mcp" } },
 *   },
 * };
 * const user = { kind: "user", source: "config.toml", values, codexFile: true } as const;
 * console.log(readConfiguration([user]).servers[0]?.provider); // default
 * console.log(readConfiguration([{ ...user, kind: "project" }]).disabled[0]?.faults[0].code); // LAYER_NOT_TRUSTED
 * ```
 */
export function readConfiguration(layers: readonly ConfigurationLayer[]): EnterpriseConfiguration {
  const findings: Findings = { faults: [], warnings: [] };
  const rootless = rootFaults(layers, [[SERVER_ROOT]]);
  findings.faults.push(...rootFaults(layers, [FEATURES]), ...rootless);
  const enabled = readFeature(layers, findings);
  const results = readProviders(layers, findings);
  const servers: EnterpriseServer[] = [];
  const disabled: DisabledServer[] = [];
  for (const name of serverNames(layers)) {
    const own: Findings = { faults: [], warnings: findings.warnings };
    own.faults.push(...untrustedFaults(layers, name));
    // what stands there could have switched it off: no weaker layer gets the word
    const unread = isMeantForEnterprise(layers, name)
      ? [...rootless, ...rootFaults(layers, [[SERVER_ROOT, name]])]
      : [];
    own.faults.push(...unread);
    const server = unread.length > 0 ? null : readOne(layers, { name, findings: own, results, enabled });
    findings.faults.push(...own.faults.filter((fault) => !rootless.includes(fault)));
    const [first, ...rest] = own.faults;
    if (first !== undefined) disabled.push({ name, faults: [first, ...rest] });
    else if (server !== null) servers.push(server);
  }
  const providers = results.flatMap(({ provider }) => provider === undefined ? [] : [provider]);
  return { enabled, providers, servers, disabled, ...findings };
}

interface ServerContext {
  readonly name: string;
  readonly findings: Findings;
  readonly results: readonly ProviderResult[];
  readonly enabled: boolean;
}

function readOne(layers: readonly ConfigurationLayer[], context: ServerContext): EnterpriseServer | null {
  const { name, findings, results, enabled } = context;
  const path = [SERVER_ROOT, name];
  const tables = serverTables(layers, { name, findings });
  if (tables === null) return null;
  if (!selectsEnterprise(layers, name)) {
    findings.faults.push(...conflicts(layers, path));
    return null;
  }
  if (!/^[\w-]{1,64}$/.test(name)) {
    const state = "a name has letters, digits, _ and - only.";
    findings.faults.push(faultOf("NAME_MALFORMED", { path, layer: null, state }));
    return null;
  }
  const read = readServer(tables);
  const provider = chooseProvider(results, { path, idp: read?.idp ?? null, findings, skip: read === null });
  if (!enabled) findings.faults.push(featureOff());
  return read === null || provider === null ? null : withProvider(read, provider.name);
}

/** What is wrong with fields of enterprise authentication beside another `auth`: the `auth`, where that is none. */
function conflicts(
  layers: readonly ConfigurationLayer[],
  path: readonly string[],
): readonly ConfigurationFault[] {
  const holderOf = (place: readonly string[]): ConfigurationLayer | undefined =>
    policyLayers(layers).find((one) => valueAt(one.values, place) !== undefined);
  const found = ENTERPRISE_FIELDS.flatMap((field) => {
    const place = [...path, ...field];
    const layer = holderOf(place);
    const state = 'it needs auth = "ema_auth".';
    return layer === undefined
      ? []
      : [faultOf("AUTH_CONFLICT", { path: place, layer: nameOf(layer), state })];
  });
  const place = [...path, "auth"];
  const layer = holderOf(place);
  const auth = valueAt(layer?.values, place);
  if (found.length === 0 || layer === undefined || AUTH_CHOICES.some((known) => known === auth)) return found;
  const [code, state] = typeof auth === "string"
    ? ["VALUE_UNKNOWN", `use one of ${AUTH_CHOICES.join(", ")}.`] as const
    : ["FIELD_TYPE", "it must be a string."] as const;
  return [faultOf(code, { path: place, layer: nameOf(layer), state })];
}

function withProvider({ idp: _, ...read }: ReadServer, provider: string): EnterpriseServer {
  return { ...read, provider };
}

interface Choice {
  readonly path: readonly string[];
  readonly idp: string | null;
  readonly findings: Findings;
  /** Whether the server is refused already, and its choice is not known. */
  readonly skip: boolean;
}

function chooseProvider(
  results: readonly ProviderResult[],
  { path, idp, findings, skip }: Choice,
): EnterpriseProvider | null {
  if (skip) return null;
  const fail = (code: Parameters<typeof faultOf>[0], state: string): null => {
    findings.faults.push(faultOf(code, { path: [...path, "idp"], layer: null, state }));
    return null;
  };
  if (results.length === 0) return fail("PROVIDER_MISSING", "host policy configures no identity provider.");
  if (idp === null && results.length > 1) {
    return fail("PROVIDER_AMBIGUOUS", "there are several identity providers. Name one.");
  }
  const result = results.find(({ name }) => name === (idp ?? results[0]?.name));
  if (result === undefined) return fail("PROVIDER_UNKNOWN", "no identity provider has this name.");
  if (result.provider !== undefined) return result.provider;
  return fail(
    "PROVIDER_REFUSED",
    `its identity provider is refused: ${result.fault.field} (${result.fault.code}).`,
  );
}
