import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { openSession, signInScopes } from "../../../../adapters/http/sign_in/session.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, providerOf } from "./fake_provider.ts";

test("without configured scopes an ID token and a refresh token are asked for", () => {
  assertEquals(signInScopes({ scopes: null }), ["openid", "offline_access"]);
  assertEquals(signInScopes({ scopes: ["openid", "email"] }), ["openid", "email"]);
});

test("the provider is what its metadata says, and nothing else", async () => {
  const { context } = await createFakeProvider({ deviceEndpoint: null, jwksUri: null });
  const { as } = await openSession(context);
  assertEquals([as.issuer, as.token_endpoint, as.device_authorization_endpoint, as.jwks_uri], [
    "https://idp.example",
    "https://idp.example/token",
    undefined,
    undefined,
  ]);
  assertEquals(as.id_token_signing_alg_values_supported?.some((name) => /^(HS|none)/.test(name)), false);
});

test("a secret is read when a request needs it, and a method must be common", async () => {
  const fake = await createFakeProvider({ clientMethods: ["client_secret_post"] });
  const client = {
    clientId: "client-1",
    secret: { kind: "environment", name: "X" },
    privateKey: null,
    method: null,
  } as const;
  const read: unknown[] = [];
  const readSecret = (reference: unknown): Promise<string> => Promise.resolve(`${read.push(reference)}`);
  await openSession({ ...fake.context, provider: providerOf({ client }), readSecret });
  assertEquals(read, [client.secret]);
  const error = await assertRejects(() => openSession(fake.context), EnterpriseError);
  assertEquals(error.code, "CLIENT_REFUSED");
});
