import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import {
  readServerMetadata,
  type ServerMetadataOptions,
} from "../../../../core/enterprise/discovery/server_metadata.ts";

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN = "urn:ietf:params:oauth:token-type:id-jag";
const PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";

const issuer = "https://as.example";
const good = { issuer, token_endpoint: `${issuer}/token` };
const server: ServerMetadataOptions = {
  role: "authorization-server",
  issuer,
  anchor: "https://mcp.example/mcp",
};
const idp: ServerMetadataOptions = { role: "identity-provider", issuer, anchor: issuer };

function reason(document: unknown, options = server): string {
  const verdict = readServerMetadata(document, options);
  return verdict.accepted ? "accepted" : verdict.refusal.reason;
}

test("readServerMetadata: what it says; lists that are absent say nothing", () => {
  const verdict = readServerMetadata(good, server);
  assertEquals(verdict.accepted && verdict.value, {
    issuer,
    tokenEndpoint: "https://as.example/token",
    revocationEndpoint: null,
    deviceEndpoint: null,
    authorizationEndpoint: null,
    jwksUri: null,
    clientMethods: null,
    issParameter: false,
    profile: "unknown",
  });
  assertEquals(verdict.accepted && verdict.notes.map((note) => note.reason), ["profile-unknown"]);
});

test("readServerMetadata: the issuer is the one that was asked", () => {
  assertEquals(reason({ ...good, issuer: `${issuer}/` }), "accepted");
  assertEquals(reason(good, { ...server, issuer: `${issuer}/` }), "accepted");
  const verdict = readServerMetadata({ ...good, issuer: `${issuer}/` }, server);
  assertEquals(verdict.accepted && verdict.value.issuer, `${issuer}/`);
  for (const other of ["https://evil.example", `${issuer}/a`, "https://AS.example", "http://as.example"]) {
    assertEquals(reason({ ...good, issuer: other }), "issuer-mismatch", other);
  }
  assertEquals(reason({ token_endpoint: "x" }), "issuer-missing");
  const slash = readServerMetadata({ ...good, issuer: `${issuer}/a/` }, { ...server, issuer: `${issuer}/a` });
  assertMatch(slash.accepted ? "" : slash.refusal.message, /slash at the end, which counts/);
});

test("readServerMetadata: three answers for each list, for each role", () => {
  const cases: readonly (readonly [ServerMetadataOptions, string, string, string])[] = [
    [server, "grant_types_supported", BEARER, "grant-unsupported"],
    [server, "authorization_grant_profiles_supported", PROFILE, "profile-unsupported"],
    [idp, "grant_types_supported", EXCHANGE, "grant-unsupported"],
    [idp, "identity_chaining_requested_token_types_supported", TOKEN, "profile-unsupported"],
  ];
  for (const [options, list, value, refused] of cases) {
    assertEquals(reason({ ...good, [list]: ["x", value] }, options), "accepted");
    assertEquals(reason({ ...good, [list]: ["x"] }, options), refused);
    assertEquals(reason({ ...good, [list]: [] }, options), refused);
    assertEquals(reason({ ...good, [list]: value }, options), "list-malformed");
  }
  assertEquals(reason({ ...good, token_endpoint_auth_methods_supported: {} }), "list-malformed");
  assertEquals(reason([good]), "malformed");
  for (const [options, list, value] of [cases[1]!, cases[3]!]) {
    const verdict = readServerMetadata({ ...good, [list]: [value] }, options);
    assertEquals(verdict.accepted && [verdict.value.profile, verdict.notes], ["supported", []]);
  }
});

test("readServerMetadata: what takes a credential is on the issuer's origin, or configured exactly", () => {
  const elsewhere = "https://login.example/token";
  for (const options of [server, idp]) {
    assertEquals(reason({ ...good, token_endpoint: elsewhere }, options), "endpoint-off-origin");
    assertEquals(reason({ ...good, revocation_endpoint: elsewhere }, options), "endpoint-off-origin");
    assertEquals(
      reason({ ...good, device_authorization_endpoint: elsewhere }, options),
      "endpoint-off-origin",
    );
    const exact = { ...options, configured: { tokenEndpoint: elsewhere } };
    assertEquals(reason({ ...good, token_endpoint: elsewhere }, exact), "accepted");
    assertEquals(reason({ ...good, token_endpoint: `${elsewhere}/` }, exact), "endpoint-moved");
    assertEquals(
      reason({ ...good, token_endpoint: elsewhere, revocation_endpoint: elsewhere }, exact),
      "endpoint-off-origin",
    );
    assertEquals(reason({ issuer }, exact), "accepted");
  }
  assertEquals(reason({ issuer }), "token-endpoint-missing");
  assertEquals(reason({ ...good, authorization_endpoint: elsewhere, jwks_uri: elsewhere }, idp), "accepted");
});

test("readServerMetadata: no endpoint inside this machine, nor in the clear", () => {
  for (const name of ["token_endpoint", "revocation_endpoint", "authorization_endpoint", "jwks_uri"]) {
    for (
      const url of [
        "http://as.example/x",
        "https://127.0.0.1/x",
        "https://[fe80::1]/x",
        "https://a@as.example/x",
      ]
    ) {
      assertEquals(reason({ ...good, [name]: url }), "endpoint-unusable", url);
    }
    assertEquals(reason({ ...good, [name]: 7 }), "endpoint-malformed");
  }
});
