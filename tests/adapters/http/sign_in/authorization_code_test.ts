import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { beginSignIn } from "../../../../adapters/http/sign_in/authorization_code.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, type FakeProvider, formOf, ISSUER, providerOf } from "./fake_provider.ts";

const REDIRECT = "http://127.0.0.1:4321/callback";

function callback(url: string, changes: Readonly<Record<string, string | null>> = {}): URL {
  const state = new URL(url).searchParams.get("state");
  const all = { code: "the-code", state, iss: ISSUER, ...changes };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URL(`${REDIRECT}?${new URLSearchParams(kept)}`);
}

async function answer(fake: FakeProvider, url: string, claims = {}): Promise<void> {
  const nonce = new URL(url).searchParams.get("nonce");
  fake.answers = [[200, {
    access_token: "a",
    token_type: "Bearer",
    refresh_token: "r",
    id_token: await fake.idToken({ nonce, ...claims }),
  }]];
}

test("the person is sent with PKCE, state and nonce, each fresh", async () => {
  const { context } = await createFakeProvider();
  const [one, other] = [await beginSignIn(context, REDIRECT), await beginSignIn(context, REDIRECT)];
  const query = Object.fromEntries(new URL(one.url).searchParams);
  const { state, nonce, code_challenge, ...rest } = query;
  assertEquals(rest, {
    tenant: "acme",
    client_id: "client-1",
    response_type: "code",
    redirect_uri: REDIRECT,
    scope: "openid offline_access",
    code_challenge_method: "S256",
  });
  for (const value of [state, nonce, code_challenge]) {
    assert((value ?? "").length >= 43);
    assert(!other.url.includes(value ?? "-"));
  }
  const strict = { ...context, provider: providerOf({ promptLogin: true, scopes: ["openid"] }) };
  const { searchParams } = new URL((await beginSignIn(strict, REDIRECT)).url);
  assertEquals([searchParams.get("prompt"), searchParams.get("scope")], ["login", "openid"]);
});

test("the callback becomes a sign-in, with the verifier of this one", async () => {
  const fake = await createFakeProvider();
  const pending = await beginSignIn(fake.context, REDIRECT);
  await answer(fake, pending.url);
  const signedIn = await pending.finish(callback(pending.url));
  assertEquals([signedIn.owner, signedIn.refreshToken], [{ user: "user-1", workspace: "acme" }, "r"]);
  const { code_verifier, ...form } = formOf(fake.requests[0]!);
  assertEquals(form, {
    grant_type: "authorization_code",
    code: "the-code",
    redirect_uri: REDIRECT,
    client_id: "client-1",
  });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code_verifier));
  const challenge = btoa(String.fromCharCode(...new Uint8Array(digest))).replace(/\+/g, "-").replace(
    /\//g,
    "_",
  );
  assertEquals(new URL(pending.url).searchParams.get("code_challenge"), challenge.replace(/=+$/, ""));
});

test("the answer to another sign-in sends nothing", async () => {
  const fake = await createFakeProvider();
  const cases: readonly (readonly [Readonly<Record<string, string | null>>, string])[] = [
    [{ state: "other" }, "state"],
    [{ state: null }, "state"],
    [{ iss: null }, "iss"],
    [{ iss: `${ISSUER}/` }, "iss"],
    [{ code: null }, "code"],
  ];
  for (const [changes, reason] of cases) {
    const pending = await beginSignIn(fake.context, REDIRECT);
    const error = await assertRejects(() => pending.finish(callback(pending.url, changes)), EnterpriseError);
    assertEquals([error.code, error.reason], ["ASSERTION_REFUSED", reason]);
  }
  assertEquals(fake.requests, []);
});

test("an ID token for another sign-in is refused", async () => {
  const fake = await createFakeProvider();
  for (const claims of [{ nonce: "other" }, { nonce: undefined }]) {
    const pending = await beginSignIn(fake.context, REDIRECT);
    await answer(fake, pending.url, claims);
    const error = await assertRejects(() => pending.finish(callback(pending.url)), EnterpriseError);
    assertEquals(error.code, "IDENTITY_REFUSED");
  }
});

test("a provider without a page to sign in at", async () => {
  const { context } = await createFakeProvider({ authorizationEndpoint: null });
  const error = await assertRejects(() => beginSignIn(context, REDIRECT), EnterpriseError);
  assertEquals([error.code, error.reason], ["DISCOVERY_REFUSED", "authorization-endpoint-missing"]);
});
