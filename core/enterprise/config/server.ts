/**
 * The enterprise servers of the configuration: `mcp_servers.<name>` with `auth = "ema_auth"`. The fields are those of
 * Codex's own file and a few more; each is taken from the strongest layer of host policy that has it, and `oauth`
 * stands whole in one layer.
 *
 * Which identity provider serves a server, and whether the feature is on, is decided in `configuration.ts`.
 *
 * @module
 */

import { type ConfigurationLayer, type LayerName, nameOf } from "../../configuration/layers/layer.ts";
import { CLIENT_FIELDS, type ClientConfiguration, readClient } from "./client.ts";
import { SERVER_ROOT, type ServerTables } from "./server_layers.ts";
import {
  booleanOf,
  checkFields,
  rawOf,
  report,
  requiredText,
  scopesOf,
  type Table,
  textOf,
  urlOf,
} from "./table.ts";

/** Which subject token is exchanged. */
export type SubjectTokenChoice = "auto" | "id_token" | "refresh_token";

/** A server that is reached with enterprise-managed authorization. */
export interface EnterpriseServer {
  /** Its name. */
  readonly name: string;
  /** Its URL, verbatim. */
  readonly url: string;
  /** Whether it is switched on; one that is not is configured and not connected to. */
  readonly enabled: boolean;
  /** Name of its identity provider. */
  readonly provider: string;
  /** Our registration at its authorization server. */
  readonly client: ClientConfiguration;
  /** The issuer of its authorization server; `null`: found by the resource's metadata. */
  readonly authorizationServer: string | null;
  /** The exact token endpoint of the authorization server; `null`: the published one, on its issuer's origin. */
  readonly tokenEndpoint: string | null;
  /** The exact revocation endpoint of the authorization server; `null`: as above. */
  readonly revocationEndpoint: string | null;
  /** The resource identifier that is sent; `null`: the published one. */
  readonly resource: string | null;
  /** The scopes that are asked for; `null`: none are configured, none is sent. */
  readonly scopes: readonly string[] | null;
  /** The scopes that a step-up may reach; `null`: exactly what the challenge asks for. */
  readonly allowedScopes: readonly string[] | null;
  /** Whether a server that does not advertise the extension is refused. */
  readonly requireExtension: boolean;
  /** Whether an ID-JAG without a `resource` claim is accepted. */
  readonly allowMissingResource: boolean;
  /** Which subject token is exchanged. */
  readonly subjectToken: SubjectTokenChoice;
  /** The layer that selects enterprise authentication for it. */
  readonly layer: LayerName;
}

/** A server before its provider is known; `idp` is the name that it gives. */
export interface ReadServer extends Omit<EnterpriseServer, "provider"> {
  /** Name of the provider it names; `null`: it names none. */
  readonly idp: string | null;
}

/** The keys of a server's table `oauth`. */
export const OAUTH_FIELDS: readonly string[] = [
  ...CLIENT_FIELDS,
  "authorization_server_issuer",
  "token_endpoint",
  "revocation_endpoint",
];
const CREDENTIAL_FIELDS: readonly string[] = [
  "bearer_token_env_var",
  "bearer_token",
  "http_headers",
  "env_http_headers",
];
const CHOICES: readonly SubjectTokenChoice[] = ["auto", "id_token", "refresh_token"];

/** Reads one server; `null` when a fault, which is then among the findings, makes it unusable. */
export function readServer(tables: ServerTables): ReadServer | null {
  const { name, findings } = tables;
  const before = findings.faults.length;
  const table = (field: string): Table => tables.tableOf(field);
  checkTransport(table);
  const url = rawOf(table("url"), "url") === undefined ? null : urlOf(table("url"), { field: "url" });
  const layer = tables.layerOf("auth");
  const oauth = readOauth(tables, url);
  const scopes = scopesOf(table("scopes"), "scopes");
  const allowedScopes = scopesOf(table("allow_scopes"), "allow_scopes");
  const outside = scopes?.find((scope) => allowedScopes !== null && !allowedScopes.includes(scope));
  if (outside !== undefined) {
    report(table("scopes"), ["SCOPE_REFUSED", "scopes", "it asks for more than allow_scopes allows."]);
  }
  const read = {
    enabled: booleanOf(table("enabled"), "enabled", true),
    resource: urlOf(table("oauth_resource"), { field: "oauth_resource", anchor: url ?? undefined }),
    idp: textOf(table("idp"), "idp"),
    requireExtension: booleanOf(table("require_extension"), "require_extension"),
    allowMissingResource: booleanOf(table("allow_missing_resource"), "allow_missing_resource"),
    subjectToken: choiceOf(table("subject_token")),
  };
  if (url === null || oauth === null || layer === null || findings.faults.length > before) return null;
  return { name, url, ...oauth, scopes, allowedScopes, ...read, layer: nameOf(layer) };
}

function checkTransport(table: (field: string) => Table): void {
  if (rawOf(table("command"), "command") !== undefined) {
    report(table("command"), ["TRANSPORT_NOT_HTTP", "command", "enterprise authentication needs a url."]);
  } else if (rawOf(table("url"), "url") === undefined) {
    requiredText(table("url"), "url");
  }
  for (const field of CREDENTIAL_FIELDS) {
    if (rawOf(table(field), field) === undefined) continue;
    report(table(field), [
      "CREDENTIALS_CONFLICT",
      field,
      "enterprise authentication brings its own credential.",
    ]);
  }
}

type Oauth = Pick<
  EnterpriseServer,
  "client" | "authorizationServer" | "tokenEndpoint" | "revocationEndpoint"
>;

function readOauth(tables: ServerTables, url: string | null): Oauth | null {
  const layer: ConfigurationLayer | null = tables.layerOf("oauth");
  if (layer === null) {
    report(tables.tableOf("oauth"), ["FIELD_MISSING", "oauth", "it must name the client_id."]);
    return null;
  }
  if (tables.isSplit("oauth")) {
    report(tables.tableOf("oauth"), ["SPLIT_OVER_LAYERS", "oauth", "it stands in another layer too."]);
    return null;
  }
  const path = [SERVER_ROOT, tables.name, "oauth"];
  const table: Table = { layer, path, findings: tables.findings };
  if (!checkFields(table, OAUTH_FIELDS)) return null;
  const client = readClient(table);
  const anchor = url ?? undefined;
  const issuer = urlOf(table, { field: "authorization_server_issuer", issuer: true, anchor });
  const tokenEndpoint = urlOf(table, { field: "token_endpoint", anchor });
  const revocationEndpoint = urlOf(table, { field: "revocation_endpoint", anchor });
  const confidential = client !== null && (client.secret !== null || client.privateKey !== null);
  const required = confidential || tokenEndpoint !== null || revocationEndpoint !== null;
  if (required && rawOf(table, "authorization_server_issuer") === undefined) {
    report(table, [
      "ISSUER_REQUIRED",
      "authorization_server_issuer",
      "a credential or an endpoint needs the issuer it belongs to, or another server could ask for it.",
    ]);
  }
  return client === null ? null : { client, authorizationServer: issuer, tokenEndpoint, revocationEndpoint };
}

function choiceOf(table: Table): SubjectTokenChoice {
  const text = textOf(table, "subject_token");
  const choice = CHOICES.find((known) => known === text);
  if (text !== null && choice === undefined) {
    report(table, ["VALUE_UNKNOWN", "subject_token", `use one of ${CHOICES.join(", ")}.`]);
  }
  return choice ?? "auto";
}
