import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { importIdToken, importRefreshToken } from "../../../../adapters/http/sign_in/import_token.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, formOf, type Members, NOW } from "./fake_provider.ts";

test("an ID token is verified, and no token endpoint is asked", async () => {
  const fake = await createFakeProvider();
  const signedIn = await importIdToken(fake.context, `  ${await fake.idToken()}\n`);
  assertEquals([signedIn.owner.user, signedIn.refreshToken], ["user-1", null]);
  assertEquals(fake.requests.map(({ method, url }) => `${method} ${url}`), ["GET https://idp.example/jwks"]);
});

test("an ID token of someone else, for someone else, or of yesterday", async () => {
  const fake = await createFakeProvider();
  const bad: readonly Members[] = [
    { iss: "https://idp.example/" },
    { aud: "client-2" },
    { exp: NOW - 61 },
    { nbf: NOW + 61 },
    { sub: "" },
    { aud: ["client-1", "client-2"], azp: "client-2" },
  ];
  for (const claims of bad) {
    const token = await fake.idToken(claims);
    const error = await assertRejects(() => importIdToken(fake.context, token), EnterpriseError);
    assertEquals(error.code, "IDENTITY_REFUSED", JSON.stringify(claims));
  }
  for (const text of ["no token", "a.b.c", ""]) {
    await assertRejects(() => importIdToken(fake.context, text), EnterpriseError);
  }
});

test("a refresh token is used once, and a new one takes its place", async () => {
  const fake = await createFakeProvider();
  const answer = { access_token: "a", token_type: "bearer", id_token: await fake.idToken() };
  fake.answers = [[200, { ...answer, refresh_token: "new" }], [200, answer]];
  assertEquals((await importRefreshToken(fake.context, "old\n")).refreshToken, "new");
  assertEquals(formOf(fake.requests[0]!)["refresh_token"], "old");
  assertEquals((await importRefreshToken(fake.context, "kept")).refreshToken, "kept");
});

test("a refresh token that is no longer good, or says nothing of anyone", async () => {
  const fake = await createFakeProvider();
  fake.answers = [[400, { error: "invalid_grant" }], [200, { access_token: "a", token_type: "bearer" }]];
  const gone = await assertRejects(() => importRefreshToken(fake.context, "old"), EnterpriseError);
  assertEquals(gone.code, "SIGN_IN_REQUIRED");
  const nobody = await assertRejects(() => importRefreshToken(fake.context, "old"), EnterpriseError);
  assertEquals(nobody.code, "IDENTITY_REFUSED");
});
