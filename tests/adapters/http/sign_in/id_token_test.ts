import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { readSignIn, type SignedIn } from "../../../../adapters/http/sign_in/id_token.ts";
import { openSession } from "../../../../adapters/http/sign_in/session.ts";
import * as oauth from "oauth4webapi";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, type FakeProvider, ISSUER, type Members, NOW } from "./fake_provider.ts";

async function read({ context }: FakeProvider, body: Members): Promise<SignedIn> {
  const session = await openSession(context);
  const response = Response.json({ access_token: "a", token_type: "bearer", ...body });
  const processed = await oauth.processRefreshTokenResponse(session.as, session.client, response);
  return await readSignIn({ context, session }, { response, body: processed });
}

test("a verified ID token says who it is", async () => {
  const fake = await createFakeProvider();
  const idToken = await fake.idToken();
  assertEquals(await read(fake, { id_token: idToken, refresh_token: "r" }), {
    identity: {
      issuer: ISSUER,
      subject: "user-1",
      audiences: ["client-1"],
      authorizedParty: null,
      expiresAt: NOW + 600,
    },
    owner: { user: "user-1", workspace: "acme" },
    name: "me@acme.example",
    idToken,
    refreshToken: "r",
  });
});

test("the signature is verified with the published keys", async () => {
  const [fake, other] = [await createFakeProvider(), await createFakeProvider()];
  const forged = await assertRejects(
    async () => await read(fake, { id_token: await other.idToken() }),
    EnterpriseError,
  );
  assertEquals([forged.code, forged.reason], ["IDENTITY_REFUSED", "signature"]);
  const fresh = await createFakeProvider();
  fresh.keys = [503, {}];
  const outage = await assertRejects(
    async () => await read(fresh, { id_token: await fresh.idToken() }),
    EnterpriseError,
  );
  assertEquals(outage.code, "TEMPORARILY_UNAVAILABLE");
  const keyless = await createFakeProvider({ jwksUri: null });
  const none = await assertRejects(
    async () => await read(keyless, { id_token: await keyless.idToken() }),
    EnterpriseError,
  );
  assertEquals([none.code, none.reason], ["DISCOVERY_REFUSED", "jwks-missing"]);
});

test("a token from the future names the clock", async () => {
  const fake = await createFakeProvider();
  await read(fake, { id_token: await fake.idToken({ iat: NOW + 59 }) });
  const error = await assertRejects(
    async () => await read(fake, { id_token: await fake.idToken({ iat: NOW + 600 }) }),
    EnterpriseError,
  );
  assertEquals(error.reason, "issued-ahead");
  assertMatch(error.message, /600 s ahead/);
});

test("a token that expires after every date is malformed", async () => {
  const fake = await createFakeProvider();
  for (const exp of [9e12, 1e300]) {
    const error = await assertRejects(
      async () => await read(fake, { id_token: await fake.idToken({ exp }) }),
      EnterpriseError,
    );
    assertEquals([error.code, error.reason], ["IDENTITY_REFUSED", "malformed"]);
  }
});

test("tokens bound to a key, and answers without an ID token", async () => {
  const fake = await createFakeProvider();
  const bound = await assertRejects(
    async () => await read(fake, { token_type: "DPoP", id_token: await fake.idToken() }),
    EnterpriseError,
  );
  assertEquals([bound.code, bound.reason], ["ASSERTION_REFUSED", "dpop"]);
  const missing = await assertRejects(() => read(fake, {}), EnterpriseError);
  assertEquals([missing.code, missing.reason], ["IDENTITY_REFUSED", "missing"]);
});
