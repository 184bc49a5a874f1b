/**
 * The enterprise test bed works: a client of another author (`oauth4webapi`) and the MCP SDK go through all three
 * servers of every profile, and each profile refuses what it is there to refuse.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { importJWK } from "jose";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import {
  type BedClient,
  type EnterpriseBed,
  EXTENSION,
  PROFILE_NAMES,
  select,
  startEnterpriseBed,
} from "../../fixtures/enterprise/mod.ts";
import { formRequest } from "../../fixtures/enterprise/trace/client_request.ts";
import { signIn } from "../../fixtures/enterprise/trace/trace.ts";

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;
const TOKEN_TYPE = "urn:ietf:params:oauth:token-type:";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const CALLBACK = "http://127.0.0.1:9/callback";

for (const profile of PROFILE_NAMES) {
  test(`${profile}: sign-in, both legs and a tool call`, async () => {
    await using bed = await startEnterpriseBed({ profile });
    const idp = await discover(bed.idp.issuer, "oidc");
    assertEquals(idp.issuer, bed.idp.issuer);
    const tokens = await signInWithLibrary(bed, idp);
    const idJag = await exchange(bed, idp, tokens);
    assertEquals(idJag.token_type.toLowerCase(), "n_a");
    assertEquals(idJag["issued_token_type"], `${TOKEN_TYPE}id-jag`);
    const places = bed.profile.asMetadataAt;
    const as = await discover(bed.as.issuer, places.includes("rfc8414") ? "oauth2" : "oidc");
    const access = await redeem(bed, as, idJag.access_token);
    assertEquals(access.refresh_token, undefined);
    for (const mode of ["auto", "legacy"] as const) {
      const { who, capabilities } = await callWhoami(bed, access.access_token, mode);
      assertEquals(who.account, "alice");
      assertEquals(who.workspace, "acme");
      assertEquals(who.scopes, ["notes:read"]);
      assertEquals(EXTENSION in (capabilities?.extensions ?? {}), bed.profile.advertises);
    }
    const errors = bed.wire.entries().filter(({ status }) =>
      status !== null && status >= 400 && status !== 405
    );
    assertEquals(errors, []);
    assertEquals(select(bed.wire.entries(), { site: "elsewhere" }), []);
    assertEquals(select(bed.wire.entries(), { endpoint: "as.authorization" }), []);
    const secrets = bed.secretsInPlay();
    for (const secret of [tokens.id_token, tokens.refresh_token, idJag.access_token, access.access_token]) {
      assert(secrets.includes(secret ?? ""));
    }
    for (const { secret, privateKey } of [bed.idp.client, bed.as.client]) {
      assert(secret === null || secrets.includes(secret));
      assert(privateKey === null || secrets.includes(privateKey.d ?? ""));
    }
  });
}

async function discover(issuer: string, algorithm: "oidc" | "oauth2"): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return await oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, { algorithm, ...INSECURE }),
  );
}

async function authentication(client: BedClient): Promise<oauth.ClientAuth> {
  if (client.method === "client_secret_basic") return oauth.ClientSecretBasic(client.secret ?? "");
  if (client.method === "client_secret_post") return oauth.ClientSecretPost(client.secret ?? "");
  if (client.privateKey === null) return oauth.None();
  const key = await importJWK(client.privateKey, "ES256") as CryptoKey;
  return oauth.PrivateKeyJwt({ key, kid: client.privateKey.kid ?? "" });
}

async function signInWithLibrary(
  bed: EnterpriseBed,
  idp: oauth.AuthorizationServer,
): Promise<oauth.TokenEndpointResponse> {
  const client = { client_id: bed.idp.client.id };
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const url = new URL(idp.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: "openid offline_access",
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const parameters = oauth.validateAuthResponse(idp, client, await bed.browse(url), state);
  const response = await oauth.authorizationCodeGrantRequest(
    idp,
    client,
    await authentication(bed.idp.client),
    parameters,
    CALLBACK,
    verifier,
    INSECURE,
  );
  const options = { expectedNonce: nonce, requireIdToken: true };
  const result = await oauth.processAuthorizationCodeResponse(idp, client, response, options);
  await oauth.validateApplicationLevelSignature(idp, response, INSECURE);
  assertEquals(oauth.getValidatedIdTokenClaims(result)?.["workspace_id"], "acme");
  return result;
}

async function exchange(
  bed: EnterpriseBed,
  idp: oauth.AuthorizationServer,
  tokens: oauth.TokenEndpointResponse,
): Promise<oauth.TokenEndpointResponse> {
  const client = { client_id: bed.idp.client.id };
  const [kind = "id_token"] = bed.profile.subjects;
  const response = await oauth.genericTokenEndpointRequest(
    idp,
    client,
    await authentication(bed.idp.client),
    EXCHANGE,
    {
      requested_token_type: `${TOKEN_TYPE}id-jag`,
      subject_token: tokens[kind] ?? "",
      subject_token_type: `${TOKEN_TYPE}${kind}`,
      audience: bed.as.issuer,
      resource: bed.mcp.url,
      scope: "notes:read",
    },
    INSECURE,
  );
  const recognizedTokenTypes = { n_a: () => {} };
  return await oauth.processGenericTokenEndpointResponse(idp, client, response, { recognizedTokenTypes });
}

async function redeem(
  bed: EnterpriseBed,
  as: oauth.AuthorizationServer,
  assertion: string,
): Promise<oauth.TokenEndpointResponse> {
  const client = { client_id: bed.as.client.id };
  const response = await oauth.genericTokenEndpointRequest(
    as,
    client,
    await authentication(bed.as.client),
    JWT_BEARER,
    { assertion, resource: bed.mcp.url },
    INSECURE,
  );
  return await oauth.processGenericTokenEndpointResponse(as, client, response);
}

async function callWhoami(bed: EnterpriseBed, token: string, mode: "auto" | "legacy") {
  const client = new Client({ name: "bed-test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(bed.mcp.url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  try {
    const { content } = await client.callTool({ name: "whoami", arguments: {} });
    const [first] = content;
    const who = JSON.parse(first?.type === "text" ? first.text : "{}") as Record<string, unknown>;
    return { who, capabilities: client.getServerCapabilities() };
  } finally {
    await client.close();
  }
}

/** Sends a first leg by hand and returns status and error. */
async function tryExchange(
  bed: EnterpriseBed,
  parameters: Readonly<Record<string, string | undefined>>,
  client: BedClient = bed.idp.client,
): Promise<string> {
  const { tokens } = await signIn(bed, { client_id: bed.idp.client.id });
  const kind = parameters["subject_token_type"] ?? bed.profile.subjects[0] ?? "id_token";
  const init = await formRequest(client, {
    grant_type: EXCHANGE,
    requested_token_type: `${TOKEN_TYPE}id-jag`,
    subject_token: String(tokens?.[kind]),
    audience: bed.as.issuer,
    resource: bed.mcp.url,
    scope: "notes:read",
    ...parameters,
    subject_token_type: `${TOKEN_TYPE}${kind}`,
  }, { audience: bed.idp.issuer });
  const response = await fetch(`${bed.idp.issuer.replace(/\/$/, "")}/token`, init);
  const { error = "none" } = await response.json() as { error?: string };
  return `${response.status} ${error}`;
}

test("the first leg refuses what the profile does not know", async () => {
  await using bed = await startEnterpriseBed({ profile: "keycloak-confidential" });
  assertEquals(await tryExchange(bed, {}), "200 none");
  assertEquals(await tryExchange(bed, { subject_token_type: "refresh_token" }), "400 invalid_request");
  assertEquals(await tryExchange(bed, { audience: `${bed.as.issuer}/` }), "400 invalid_target");
  assertEquals(await tryExchange(bed, { audience: bed.as.consumerIssuer }), "400 invalid_target");
  assertEquals(await tryExchange(bed, { audience: undefined }), "400 invalid_request");
  assertEquals(await tryExchange(bed, { resource: `${bed.mcp.url}/` }), "400 invalid_target");
  assertEquals(await tryExchange(bed, { resource: undefined }), "400 invalid_target");
  assertEquals(await tryExchange(bed, { scope: "admin" }), "400 invalid_scope");
  assertEquals(await tryExchange(bed, { subject_token: "no.token.here" }), "400 invalid_request");
  assertEquals(await tryExchange(bed, { requested_token_type: `${TOKEN_TYPE}jwt` }), "400 invalid_request");
  assertEquals(await tryExchange(bed, {}, bed.idp.otherClient), "400 invalid_client");
});

test("an ID token is no subject for another client, a refresh token neither", async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  const { otherClient } = bed.idp;
  assertEquals(await tryExchange(bed, {}, otherClient), "400 invalid_request");
  assertEquals(
    await tryExchange(bed, { subject_token_type: "refresh_token" }, otherClient),
    "400 invalid_grant",
  );
  assertEquals(await tryExchange(bed, { subject_token_type: "refresh_token" }), "200 none");
  assertEquals(await tryExchange(bed, { scope: undefined }), "400 invalid_scope");
});

test("the ping profile takes the refresh token alone", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  assertEquals(await tryExchange(bed, {}), "200 none");
  assertEquals(await tryExchange(bed, { subject_token_type: "id_token" }), "400 invalid_request");
});

test("slashes belong to the issuers of the auth0 profile, and two beds share nothing", async () => {
  await using bed = await startEnterpriseBed({ profile: "auth0-slash", host: "localhost" });
  await using other = await startEnterpriseBed();
  assertMatch(bed.idp.issuer, /^http:\/\/localhost:\d+\/$/);
  assertMatch(bed.as.issuer, /^http:\/\/localhost:\d+\/$/);
  assertEquals(await tryExchange(bed, { audience: bed.as.issuer.slice(0, -1) }), "400 invalid_target");
  assertNotEquals(bed.idp.client.secret, other.idp.client.secret);
  assertEquals(other.wire.entries(), []);
  const text = bed.configuration();
  assertMatch(text, /issuer = "http:\/\/localhost:\d+\/"/);
});
