/**
 * The parties of an exchange, as tests of this folder configure them, and tokens that pass the checks.
 *
 * @module
 */

import type { ClientConfiguration } from "../../../core/enterprise/config/client.ts";
import type { EnterpriseProvider } from "../../../core/enterprise/config/provider.ts";
import type { EnterpriseServer } from "../../../core/enterprise/config/server.ts";
import type { ServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import type { SecretReader } from "../../../adapters/http/client/secret_reader.ts";

/** The URLs. */
export const MCP = "https://mcp.example/mcp";
export const AS = "https://as.example";
export const IDP = "https://idp.example";

/** A secret of a client; no error may hold it. */
export const SECRET = "client-s3cret";

/** Our registration at the identity provider. */
export const IDP_CLIENT: ClientConfiguration = {
  clientId: "idp-client",
  secret: { kind: "environment", name: "SECRET" },
  privateKey: null,
  method: "client_secret_post",
};

/** Our registration at the authorization server. */
export const AS_CLIENT: ClientConfiguration = {
  ...IDP_CLIENT,
  clientId: "as-client",
  secret: null,
  method: "none",
};

/** Reads every secret as {@linkcode SECRET}. */
export const readSecret: SecretReader = () => Promise.resolve(SECRET);

const LAYER = { kind: "user", source: "test.toml" } as const;

/** The provider. */
export const PROVIDER: EnterpriseProvider = {
  name: "default",
  issuer: IDP,
  client: IDP_CLIENT,
  scopes: null,
  tokenEndpoint: null,
  revocationEndpoint: null,
  deviceEndpoint: null,
  redirectPort: null,
  promptLogin: false,
  layer: LAYER,
};

/** The server. */
export const SERVER: EnterpriseServer = {
  name: "notes",
  url: MCP,
  enabled: true,
  provider: "default",
  client: AS_CLIENT,
  authorizationServer: AS,
  tokenEndpoint: null,
  revocationEndpoint: null,
  resource: null,
  scopes: ["a"],
  allowedScopes: null,
  requireExtension: false,
  allowMissingResource: false,
  subjectToken: "auto",
  layer: LAYER,
};

/** Metadata of `issuer`, as discovery gives it. */
export function metadataOf(issuer: string): ServerMetadata {
  return {
    issuer,
    tokenEndpoint: `${issuer}/token`,
    revocationEndpoint: `${issuer}/revoke`,
    deviceEndpoint: null,
    authorizationEndpoint: null,
    jwksUri: null,
    clientMethods: null,
    issParameter: false,
    profile: "supported",
  };
}

/** The document that `issuer` publishes. */
export function documentOf(issuer: string): Record<string, unknown> {
  return { issuer, token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke` };
}

/** An ID-JAG that passes, but for what `claims` change. */
export function idJag(now: number, claims: Readonly<Record<string, unknown>> = {}): string {
  const all = {
    iss: IDP,
    aud: AS,
    client_id: "as-client",
    resource: MCP,
    sub: "alice",
    jti: "j1",
    iat: now,
    exp: now + 300,
    scope: "a",
    ...claims,
  };
  return [{ alg: "ES256", typ: "oauth-id-jag+jwt" }, all].map(encode).join(".") + ".c2lnbmF0dXJl";
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
