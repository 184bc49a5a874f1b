import { test } from "node:test";
import { assert } from "@std/assert";
import fc from "fast-check";
import { readConfiguration } from "../../../core/enterprise/config/configuration.ts";
import { readResourceMetadata } from "../../../core/enterprise/discovery/resource_metadata.ts";
import { readServerMetadata } from "../../../core/enterprise/discovery/server_metadata.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { readGrant } from "../../../core/enterprise/grant/record.ts";
import { checkIdJag, type IdJagOptions } from "../../../core/enterprise/exchange/id_jag.ts";
import { readIdentity } from "../../../core/enterprise/identity.ts";
import { readOAuthFailure } from "../../../core/enterprise/exchange/oauth_error.ts";
import { readRedemptionAnswer } from "../../../core/enterprise/exchange/redemption.ts";
import { readExchangeAnswer } from "../../../core/enterprise/exchange/token_exchange.ts";
import { compactToken } from "./tokens.ts";
import { layer } from "./config/layers.ts";

/** Stands for every secret that an answer could hold. */
const SECRET = "S3CR3T-in-the-answer";
const NOW = 1_800_000_000;

const GOOD = {
  iss: "https://idp.example",
  aud: "https://as.example",
  azp: "c",
  sub: "U1",
  client_id: "c",
  jti: "j",
  exp: NOW + 300,
  iat: NOW,
  nbf: NOW,
  cnf: {},
  resource: "https://mcp.example",
  issuer: "https://as.example",
  token_endpoint: "https://as.example/token",
  authorization_servers: ["https://as.example"],
  grant_types_supported: [],
  scope: "read",
  issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
  access_token: "a.b.c",
  token_type: "Bearer",
  expires_in: 300,
  error: "invalid_grant",
  version: 1,
  generation: "0".repeat(32),
  refresh_token: "r",
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    "",
    [],
    {},
    [SECRET],
    SECRET,
    { [SECRET]: SECRET },
    `https://${SECRET}`,
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const fields = fc.uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(GOOD), "__proto__", "toString"), odd), {
  maxLength: 4,
  selector: ([name]) => name,
});
/** The good answer with some fields replaced or taken out, or anything at all. */
const answer: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fields.map((changes) => ({ ...GOOD, ...Object.fromEntries(changes) })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...Object.keys(GOOD)).map((name) => ({ ...GOOD, [name]: undefined })),
  },
  odd,
);

const options: IdJagOptions = {
  issuer: "https://idp.example",
  audience: "https://as.example",
  resource: "https://mcp.example",
  clientId: "c",
  scopes: ["read"],
  allowMissingResource: false,
  answer: { scopes: null, expiresIn: null },
  now: NOW,
  serverNow: null,
};

test("no check of a token or a token response throws, nor repeats what stands in it", () => {
  fc.assert(
    fc.property(answer, fc.boolean(), (response, asHeader) => {
      const token = asHeader
        ? compactToken({ header: response ?? null, claims: GOOD })
        : compactToken({ claims: response ?? null });
      const verdicts = [
        checkIdJag(token, options),
        readIdentity(response, { issuer: "https://idp.example", clientId: "c", now: NOW }),
        readExchangeAnswer(response),
        readRedemptionAnswer(response, { scopes: ["read"], resource: "https://mcp.example" }),
      ];
      for (const verdict of verdicts) {
        const said = JSON.stringify(verdict.accepted ? verdict.notes : verdict.refusal);
        assert(!said.includes("S3CR3T"), said);
      }
      assert(!JSON.stringify(readOAuthFailure(400, response)).includes("S3CR3T"));
    }),
    { numRuns: 1500 },
  );
});

test("no check of a document or a configuration throws", () => {
  fc.assert(
    fc.property(answer, (document) => {
      readResourceMetadata(document, { url: "https://mcp.example/a" });
      readServerMetadata(document, {
        role: "identity-provider",
        issuer: "https://as.example",
        anchor: "https://as.example",
      });
      const servers = {
        mcp_servers: { a: document },
        mcp_enterprise_managed_auth: { idp: document, idps: document },
      };
      for (const values of [document, servers]) {
        readConfiguration([layer(values), layer(values, { kind: "project" })]);
      }
    }),
    { numRuns: 1000 },
  );
});

test("a stored grant is read, or refused with a coded error that does not repeat it", () => {
  fc.assert(
    fc.property(fc.oneof(answer.map((value) => JSON.stringify(value) ?? SECRET), fc.string()), (text) => {
      try {
        readGrant(text);
      } catch (error) {
        assert(error instanceof EnterpriseError && error.cause === undefined);
        assert(!error.message.includes("S3CR3T"));
      }
    }),
    { numRuns: 1000 },
  );
});
