import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { revokeGrant } from "../../../../adapters/cli/enterprise/revoke_grant.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, formOf, ISSUER } from "../../http/sign_in/fake_provider.ts";

const ENDPOINT = `${ISSUER}/revoke`;

test("a refresh token is revoked where that is offered, and what failed is an answer", async () => {
  const fake = await createFakeProvider({ revocationEndpoint: ENDPOINT });
  const { http, readSecret, metadata, provider } = fake.context;
  const parts = { http, readSecret, discover: () => Promise.resolve(metadata) };
  fake.answers = [[200, {}]];
  assertEquals(await revokeGrant("r-1", { parts, provider }), "revoked");
  assertEquals(fake.requests.map((request) => [request.url, formOf(request)["token"]]), [[ENDPOINT, "r-1"]]);
  fake.answers = [[503, {}]];
  assert(await revokeGrant("r-1", { parts, provider }) instanceof EnterpriseError);
  const without = { ...parts, discover: () => Promise.resolve({ ...metadata, revocationEndpoint: null }) };
  assertEquals(await revokeGrant("r-1", { parts: without, provider }), "not-offered");
  const down = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it");
  const unreachable = { ...parts, discover: () => Promise.reject(down) };
  assertEquals(await revokeGrant("r-1", { parts: unreachable, provider }), down);
});
