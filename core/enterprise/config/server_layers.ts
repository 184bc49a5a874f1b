/**
 * Which layer each field of a server comes from. Host policy is merged field by field, the strongest layer first;
 * a project or a plugin that sets a field of authentication, or moves an enterprise server, is refused.
 *
 * What the fields mean is decided in `server.ts`.
 *
 * @module
 */

import { type ConfigurationFault, faultOf } from "../../configuration/layers/fault.ts";
import {
  type ConfigurationLayer,
  isHostPolicy,
  nameOf,
  namesAt,
  policyLayers,
  valueAt,
} from "../../configuration/layers/layer.ts";
import type { Findings, Table } from "./table.ts";

/** Name of the table that holds the servers. */
export const SERVER_ROOT = "mcp_servers";

/** The value of `auth` that selects enterprise authentication. */
export const ENTERPRISE_AUTH = "ema_auth";

/** The values that `auth` of a server may have. */
export const AUTH_CHOICES: readonly string[] = [ENTERPRISE_AUTH, "oauth", "chatgpt"];

/** Paths, below the server, of fields that belong to enterprise authentication alone. */
export const ENTERPRISE_FIELDS: readonly (readonly string[])[] = [
  ["idp"],
  ["require_extension"],
  ["allow_missing_resource"],
  ["subject_token"],
  ["allow_scopes"],
  ["oauth", "private_key"],
  ["oauth", "token_endpoint_auth_method"],
  ["oauth", "authorization_server_issuer"],
  ["oauth", "token_endpoint"],
  ["oauth", "revocation_endpoint"],
];

/** Fields that decide where an enterprise server is, who speaks to it, and with what. */
const DECIDING: readonly string[] = [
  "idp",
  "require_extension",
  "allow_missing_resource",
  "subject_token",
  "allow_scopes",
  "url",
  "command",
  "auth",
  "scopes",
  "oauth",
  "oauth_resource",
  "bearer_token",
  "bearer_token_env_var",
  "http_headers",
  "env_http_headers",
];

/** The enterprise fields that no other authentication knows under any name. */
const OWN_FIELDS: readonly string[] = ENTERPRISE_FIELDS.flatMap(([field = "", ...rest]) =>
  rest.length === 0 ? [field] : []
);

/** The tables of one server. */
export interface ServerTables {
  /** Name of the server. */
  readonly name: string;
  /** Where its findings go. */
  readonly findings: Findings;
  /** The table that `field` is read from: of the layer that has it, else of the strongest layer. */
  tableOf(field: string): Table;
  /** The strongest layer of host policy that has `field`; `null` when none has it. */
  layerOf(field: string): ConfigurationLayer | null;
  /** Whether several layers of host policy have `field`. */
  isSplit(field: string): boolean;
}

/** Every server that any of `layers` names. */
export function serverNames(layers: readonly ConfigurationLayer[]): readonly string[] {
  return [...new Set(layers.flatMap((layer) => namesAt(layer.values, [SERVER_ROOT])))];
}

/** The tables of the server `name` in the host policy among `layers`; `null` when host policy does not name it. */
export function serverTables(
  layers: readonly ConfigurationLayer[],
  { name, findings }: { readonly name: string; readonly findings: Findings },
): ServerTables | null {
  const path = [SERVER_ROOT, name];
  const holders = policyLayers(layers).filter((layer) => valueAt(layer.values, path) !== undefined);
  const [strongest] = holders;
  if (strongest === undefined) return null;
  const having = (field: string): readonly ConfigurationLayer[] =>
    holders.filter((layer) => valueAt(layer.values, [...path, field]) !== undefined);
  return {
    name,
    findings,
    tableOf: (field) => ({ layer: having(field)[0] ?? strongest, path, findings }),
    layerOf: (field) => having(field)[0] ?? null,
    isSplit: (field) => having(field).length > 1,
  };
}

/** Whether the strongest layer of host policy that sets `auth` for the server selects enterprise authentication. */
export function selectsEnterprise(layers: readonly ConfigurationLayer[], name: string): boolean {
  const path = [SERVER_ROOT, name, "auth"];
  const values = policyLayers(layers).map((layer) => valueAt(layer.values, path));
  return values.find((value) => value !== undefined) === ENTERPRISE_AUTH;
}

/** Whether any layer of host policy selects enterprise authentication for the server, also one that does not decide. */
export function isMeantForEnterprise(layers: readonly ConfigurationLayer[], name: string): boolean {
  return layers.some((layer) => isHostPolicy(layer) && selectsEnterprise([layer], name));
}

/**
 * What projects and plugins try with the server `name`: to select enterprise authentication, or to set a deciding
 * field of a server that host policy selected it for.
 */
export function untrustedFaults(
  layers: readonly ConfigurationLayer[],
  name: string,
): readonly ConfigurationFault[] {
  const selected = selectsEnterprise(layers, name);
  return layers.filter((layer) => !isHostPolicy(layer)).flatMap((layer) => {
    const at = (field: string): unknown => valueAt(layer.values, [SERVER_ROOT, name, field]);
    const tried = at("auth") === ENTERPRISE_AUTH || OWN_FIELDS.some((field) => at(field) !== undefined);
    if (!selected && !tried) return [];
    return DECIDING.filter((field) => at(field) !== undefined).map((field) =>
      faultOf("LAYER_NOT_TRUSTED", {
        path: [SERVER_ROOT, name, field],
        layer: nameOf(layer),
        state: "only the system's, the administrator's or the user's configuration decides about " +
          "enterprise authentication. Say it there, or move this file to where only you may write it, outside of the project.",
      })
    );
  });
}
