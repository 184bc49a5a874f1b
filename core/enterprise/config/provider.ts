/**
 * The identity providers of the configuration: `mcp_enterprise_managed_auth.idp`, as in Codex's own file, and
 * `mcp_enterprise_managed_auth.idps.<name>` for several. Each stands whole in one layer of host policy.
 *
 * Which provider a server uses is decided in `configuration.ts`.
 *
 * @module
 */

import { type ConfigurationFault, faultOf } from "../../configuration/layers/fault.ts";
import {
  type ConfigurationLayer,
  type LayerName,
  nameOf,
  namesAt,
  policyLayers,
  valueAt,
} from "../../configuration/layers/layer.ts";
import { rootFaults } from "../../configuration/layers/root_table.ts";
import { CLIENT_FIELDS, type ClientConfiguration, readClient } from "./client.ts";
import {
  booleanOf,
  checkFields,
  type Findings,
  rawOf,
  report,
  requiredText,
  scopesOf,
  type Table,
  urlOf,
} from "./table.ts";

/** Name of the provider that stands under `idp`. */
export const DEFAULT_PROVIDER = "default";

/** An identity provider. */
export interface EnterpriseProvider {
  /** Its name; `"default"` for the one under `idp`. */
  readonly name: string;
  /** Its issuer, verbatim. */
  readonly issuer: string;
  /** Our registration there. */
  readonly client: ClientConfiguration;
  /** Scopes of a sign-in; `null`: `openid offline_access`. */
  readonly scopes: readonly string[] | null;
  /** The exact token endpoint; `null`: the published one, on the issuer's origin. */
  readonly tokenEndpoint: string | null;
  /** The exact revocation endpoint; `null`: the published one, on the issuer's origin. */
  readonly revocationEndpoint: string | null;
  /** The exact device authorization endpoint; `null`: the published one, on the issuer's origin. */
  readonly deviceEndpoint: string | null;
  /** Fixed port of the loopback redirect; `null`: an ephemeral one. */
  readonly redirectPort: number | null;
  /** Whether a sign-in asks the identity provider to authenticate the person anew. */
  readonly promptLogin: boolean;
  /** The layer it stands in. */
  readonly layer: LayerName;
}

/** A provider, or why the one of this name cannot be used. */
export type ProviderResult =
  | { readonly name: string; readonly provider: EnterpriseProvider; readonly fault?: never }
  | { readonly name: string; readonly provider?: never; readonly fault: ConfigurationFault };

const ROOT = "mcp_enterprise_managed_auth";
/** The keys of an identity provider's table. */
export const PROVIDER_FIELDS: readonly string[] = [
  ...CLIENT_FIELDS,
  "issuer",
  "scopes",
  "token_endpoint",
  "revocation_endpoint",
  "device_authorization_endpoint",
  "redirect_port",
  "prompt_login",
];

/**
 * Reads every provider that `layers` name in host policy; what other layers name is refused and not read. Where a layer
 * of host policy cannot be read, it could have named any of them, so that all are refused.
 */
export function readProviders(
  layers: readonly ConfigurationLayer[],
  findings: Findings,
): readonly ProviderResult[] {
  const broken = rootFaults(layers, [[ROOT], [ROOT, "idps"]]);
  findings.faults.push(...broken);
  const results = readNamed(layers, findings);
  const [fault] = broken;
  return fault === undefined ? results : results.map(({ name }) => ({ name, fault }));
}

function readNamed(layers: readonly ConfigurationLayer[], findings: Findings): readonly ProviderResult[] {
  const policy = policyLayers(layers);
  for (
    const layer of layers.filter((one) => !policy.includes(one) && valueAt(one.values, [ROOT]) !== undefined)
  ) {
    findings.faults.push(faultOf("LAYER_NOT_TRUSTED", {
      path: [ROOT],
      layer: nameOf(layer),
      state: "only the system's, the administrator's or the user's configuration names identity providers.",
    }));
  }
  const named = new Set(policy.flatMap((layer) => namesAt(layer.values, [ROOT, "idps"])));
  const results = [...named].map((name) =>
    readProvider(policy, { name, path: [ROOT, "idps", name], findings })
  );
  const holders = policy.filter((layer) => valueAt(layer.values, [ROOT, "idp"]) !== undefined);
  if (holders.length === 0) return results;
  const single = readProvider(policy, { name: DEFAULT_PROVIDER, path: [ROOT, "idp"], findings });
  if (!named.has(DEFAULT_PROVIDER)) return [single, ...results];
  const fault = faultOf("NAME_TAKEN", {
    path: [ROOT, "idps", DEFAULT_PROVIDER],
    layer: null,
    state: `this is the name of the provider under ${ROOT}.idp. Choose another.`,
  });
  findings.faults.push(fault);
  return [{ name: DEFAULT_PROVIDER, fault }, ...results.filter(({ name }) => name !== DEFAULT_PROVIDER)];
}

interface ProviderPlace {
  readonly name: string;
  readonly path: readonly string[];
  readonly findings: Findings;
}

function readProvider(
  policy: readonly ConfigurationLayer[],
  { name, path, findings }: ProviderPlace,
): ProviderResult {
  const own: Findings = { faults: [], warnings: findings.warnings };
  const holders = policy.filter((layer) => valueAt(layer.values, path) !== undefined);
  const provider = holders.length === 1 && holders[0] !== undefined
    ? readTable({ layer: holders[0], path, findings: own }, name)
    : splitOver(holders, { name, path, findings: own });
  findings.faults.push(...own.faults);
  const [fault] = own.faults;
  if (provider !== null && fault === undefined) return { name, provider };
  return {
    name,
    fault: fault ?? faultOf("PROVIDER_REFUSED", { path, layer: null, state: "it is unusable." }),
  };
}

/** Two layers that define one provider: parts of it could come from either, so none is taken. */
function splitOver(holders: readonly ConfigurationLayer[], { path, findings }: ProviderPlace): null {
  const [strongest] = holders;
  findings.faults.push(faultOf("SPLIT_OVER_LAYERS", {
    path,
    layer: strongest === undefined ? null : nameOf(strongest),
    state: "it stands in another layer too. Write the whole provider in one.",
  }));
  return null;
}

function readTable(table: Table, name: string): EnterpriseProvider | null {
  if (!/^[\w-]{1,64}$/.test(name)) {
    const [field = "", ...rest] = table.path.toReversed();
    report({ ...table, path: rest.toReversed() }, [
      "NAME_MALFORMED",
      field,
      "a name has letters, digits, _ and - only.",
    ]);
    return null;
  }
  if (!checkFields(table, PROVIDER_FIELDS)) return null;
  const hasIssuer = requiredText(table, "issuer") !== null;
  const issuer = hasIssuer ? urlOf(table, { field: "issuer", issuer: true }) : null;
  const client = readClient(table);
  const anchor = issuer ?? undefined;
  const endpoint = (field: string): string | null => urlOf(table, { field, anchor });
  const rest = {
    scopes: scopesOf(table, "scopes"),
    tokenEndpoint: endpoint("token_endpoint"),
    revocationEndpoint: endpoint("revocation_endpoint"),
    deviceEndpoint: endpoint("device_authorization_endpoint"),
    redirectPort: portOf(table, "redirect_port"),
    promptLogin: booleanOf(table, "prompt_login"),
  };
  if (issuer === null || client === null) return null;
  return { name, issuer, client, ...rest, layer: nameOf(table.layer) };
}

function portOf(table: Table, field: string): number | null {
  const value = rawOf(table, field);
  if (value === undefined) return null;
  // a TOML parser may give integers as bigint
  const port = typeof value === "bigint" ? Number(value) : value;
  if (typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65536) return port;
  report(table, ["VALUE_UNKNOWN", field, "it must be a port number, 1 to 65535."]);
  return null;
}
