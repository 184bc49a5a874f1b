import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { readServer } from "../../../../core/enterprise/config/server.ts";
import { serverTables } from "../../../../core/enterprise/config/server_layers.ts";
import type { Findings } from "../../../../core/enterprise/config/table.ts";
import type { ConfigurationLayer } from "../../../../core/configuration/layers/layer.ts";
import { layer } from "./layers.ts";

const BASE = { url: "https://mcp.example/mcp", auth: "ema_auth", oauth: { client_id: "mcp-client" } };

function readLayers(layers: readonly ConfigurationLayer[]) {
  const findings: Findings = { faults: [], warnings: [] };
  const tables = serverTables(layers, { name: "s", findings });
  const server = tables === null ? null : readServer(tables);
  return {
    server,
    faults: findings.faults.map(({ code, field }) => `${code} ${field.slice("mcp_servers.s.".length)}`),
  };
}

function read(fields: Record<string, unknown>) {
  return readLayers([layer({ mcp_servers: { s: { ...BASE, ...fields } } })]);
}

const ISSUER = "https://as.example";

test("readServer: every refusal names its field", () => {
  const secret = { env: "SECRET" };
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ url: undefined }, "FIELD_MISSING url"],
    [{ url: "http://mcp.example" }, "URL_REFUSED url"],
    [{ command: "server" }, "TRANSPORT_NOT_HTTP command"],
    [{ bearer_token_env_var: "T" }, "CREDENTIALS_CONFLICT bearer_token_env_var"],
    [{ http_headers: {} }, "CREDENTIALS_CONFLICT http_headers"],
    [{ env_http_headers: { A: "B" } }, "CREDENTIALS_CONFLICT env_http_headers"],
    [{ oauth: undefined }, "FIELD_MISSING oauth"],
    [{ oauth: {} }, "FIELD_MISSING oauth.client_id"],
    [{ oauth: "x" }, "FIELD_TYPE oauth"],
    [{ oauth: { client_id: "" } }, "FIELD_EMPTY oauth.client_id"],
    [
      { oauth: { client_id: "c", client_secret: secret } },
      "ISSUER_REQUIRED oauth.authorization_server_issuer",
    ],
    [{ oauth: { client_id: "c", private_key: secret } }, "ISSUER_REQUIRED oauth.authorization_server_issuer"],
    [
      { oauth: { client_id: "c", token_endpoint: "https://as.example/t" } },
      "ISSUER_REQUIRED oauth.authorization_server_issuer",
    ],
    [
      { oauth: { client_id: "c", authorization_server_issuer: "http://as.example" } },
      "URL_REFUSED oauth.authorization_server_issuer",
    ],
    [
      { oauth: { client_id: "c", authorization_server_issuer: "https://127.0.0.1" } },
      "URL_REFUSED oauth.authorization_server_issuer",
    ],
    [{ oauth_resource: "https://mcp.example/#x" }, "URL_REFUSED oauth_resource"],
    [{ scopes: "read" }, "FIELD_TYPE scopes"],
    [{ scopes: ["a b"] }, "SCOPE_REFUSED scopes"],
    [{ scopes: ["a", "b"], allow_scopes: ["a"] }, "SCOPE_REFUSED scopes"],
    [{ subject_token: "saml" }, "VALUE_UNKNOWN subject_token"],
    [{ require_extension: "yes" }, "FIELD_TYPE require_extension"],
    [{ idp: "" }, "FIELD_EMPTY idp"],
  ];
  for (const [fields, fault] of cases) {
    const { server, faults } = read(fields);
    assertEquals([server, faults], [null, [fault]], JSON.stringify(fields));
  }
});

test("readServer: every field that it has, verbatim", () => {
  const { server, faults } = read({
    scopes: ["b", "a", "b"],
    allow_scopes: ["a", "b", "c"],
    oauth_resource: "https://mcp.example",
    idp: "acme",
    enabled: false,
    require_extension: true,
    allow_missing_resource: true,
    subject_token: "refresh_token",
    oauth: {
      client_id: " c ",
      client_secret: { keyring: "k" },
      token_endpoint_auth_method: "client_secret_post",
      authorization_server_issuer: `${ISSUER}/`,
      token_endpoint: "https://login.example/token",
      revocation_endpoint: "https://login.example/revoke",
    },
  });
  assertEquals(faults, []);
  assertEquals(server, {
    name: "s",
    url: "https://mcp.example/mcp",
    enabled: false,
    client: {
      clientId: " c ",
      secret: { kind: "keyring", name: "k" },
      privateKey: null,
      method: "client_secret_post",
    },
    authorizationServer: `${ISSUER}/`,
    tokenEndpoint: "https://login.example/token",
    revocationEndpoint: "https://login.example/revoke",
    scopes: ["b", "a"],
    allowedScopes: ["a", "b", "c"],
    resource: "https://mcp.example",
    idp: "acme",
    requireExtension: true,
    allowMissingResource: true,
    subjectToken: "refresh_token",
    layer: { kind: "user", source: "user.toml" },
  });
});

test("readServer: a stronger layer wins field by field, and oauth is never put together", () => {
  const weak = layer({ mcp_servers: { s: { ...BASE, scopes: ["weak"] } } }, { kind: "system" });
  const strong = layer({ mcp_servers: { s: { scopes: ["strong"] } } }, { kind: "administrator" });
  for (const layers of [[weak, strong], [strong, weak]]) {
    assertEquals(readLayers(layers).server?.scopes, ["strong"]);
  }
  const split = layer({ mcp_servers: { s: { oauth: { client_secret: { env: "S" } } } } }, { kind: "user" });
  assertEquals(readLayers([weak, split]).faults, ["SPLIT_OVER_LAYERS oauth"]);
});
