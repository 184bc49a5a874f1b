import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import { signInFailure, signingInAt } from "../../../../adapters/http/sign_in/failure.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";

const AS = { issuer: "https://idp.example" };
const CLIENT = { client_id: "c" };

/** The error with which the library refuses an answer. */
async function refusal(response: Response): Promise<unknown> {
  return await oauth.processRefreshTokenResponse(AS, CLIENT, response).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("what a refused request becomes", async () => {
  const cases: readonly (readonly [number, string, string])[] = [
    [400, "invalid_grant", "SIGN_IN_REQUIRED"],
    [401, "invalid_client", "CLIENT_REFUSED"],
    [400, "unauthorized_client", "CLIENT_REFUSED"],
    [400, "invalid_scope", "SCOPE_REFUSED"],
    [400, "access_denied", "ADMINISTRATOR_REFUSED"],
    [400, "insufficient_user_authentication", "STRONGER_SIGN_IN_REQUIRED"],
    [400, "constructor", "ASSERTION_REFUSED"],
    [400, "temporarily_unavailable", "TEMPORARILY_UNAVAILABLE"],
    [429, "invalid_grant", "TEMPORARILY_UNAVAILABLE"],
  ];
  for (const [status, error, code] of cases) {
    const body = { error, error_description: "hush" };
    const failure = signInFailure(await refusal(Response.json(body, { status })), "sign in");
    assertEquals([failure.code, error], [code, error]);
    assert(failure.message.startsWith("Cannot sign in: "));
  }
  for (
    const [status, code] of [[503, "TEMPORARILY_UNAVAILABLE"], [302, "DISCOVERY_REFUSED"], [
      404,
      "DISCOVERY_REFUSED",
    ]] as const
  ) {
    assertEquals(
      signInFailure(await refusal(new Response(null, { status })), "sign in").code,
      code,
      String(status),
    );
  }
});

test("nothing of an answer is kept", async () => {
  const secrets = ["access-1", "refresh-1", "hush"];
  const bodies = [
    { access_token: "access-1", refresh_token: "refresh-1" },
    { access_token: "access-1", token_type: "bearer", id_token: "refresh-1.hush.x" },
    { access_token: "access-1", token_type: "hush" },
    { error: "hush\u001b", error_description: "refresh-1" },
  ];
  const errors = await Promise.all(
    bodies.map((body) => refusal(Response.json(body, { status: "error" in body ? 400 : 200 }))),
  );
  for (
    const error of [...errors, new TypeError("hush"), new Error("x", { cause: { body: "hush" } }), "hush"]
  ) {
    const failure = signInFailure(error, "sign in");
    const told = [failure.message, JSON.stringify(failure.cause), JSON.stringify({ ...failure })].join("\n");
    for (const secret of secrets) assert(!told.includes(secret), told);
  }
});

test("an error of ours stays as it is", () => {
  const error = new EnterpriseError("KEYRING_LOCKED", "x");
  assertEquals(signInFailure(error, "sign in"), error);
});

test("the issuer is quoted", () => {
  assertEquals(signingInAt("https://idp.example/\u001b"), 'sign in at "https://idp.example/\\u001b"');
});
