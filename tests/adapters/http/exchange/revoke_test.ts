/**
 * Revocation: tried once, and its end is told.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import { type RevokeContext, revokeToken } from "../../../../adapters/http/exchange/revoke.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, type TestHttp, testHttp, textAnswer } from "../answers.ts";
import { IDP, IDP_CLIENT, metadataOf, readSecret, SECRET } from "../parties.ts";

async function run(http: TestHttp, change: Partial<RevokeContext> = {}): Promise<string> {
  const result = await revokeToken({
    http,
    metadata: metadataOf(IDP),
    client: IDP_CLIENT,
    readSecret,
    signal: noSignal(),
    token: "token-s3cret",
    hint: "refresh_token",
    ...change,
  });
  assert(!inspect(result, { depth: 9, showHidden: true }).includes("s3cret"));
  return result.kind === "failed" ? `${result.error.code} ${result.error.reason}` : result.kind;
}

test("the token goes to the revocation endpoint with its kind, as the client", async () => {
  const http = testHttp(() => textAnswer(""));
  assertEquals(await run(http), "revoked");
  const [request] = http.requests;
  assertEquals(request?.url, `${IDP}/revoke`);
  assertEquals(Object.fromEntries(new URLSearchParams(request?.body)), {
    token: "token-s3cret",
    token_type_hint: "refresh_token",
    client_id: "idp-client",
    client_secret: SECRET,
  });
});

test("a server that offers none is not asked", async () => {
  const http = testHttp(() => textAnswer(""));
  const metadata = { ...metadataOf(IDP), revocationEndpoint: null };
  assertEquals(await run(http, { metadata }), "not-offered");
  assertEquals(http.requests, []);
});

test("what does not work is told, and nothing is thrown", async () => {
  const answer = (response: HttpResponse): TestHttp => testHttp(() => response);
  assertEquals(
    await run(answer(jsonAnswer({ error: "invalid_client" }, 401))),
    "CLIENT_REFUSED invalid_client",
  );
  assertEquals(await run(answer(jsonAnswer({ error: "token-s3cret" }, 400))), "CLIENT_REFUSED status");
  assertEquals(await run(answer(textAnswer("", 307, { location: "/" }))), "CLIENT_REFUSED status");
  assertEquals(await run(answer(textAnswer("", 503))), "TEMPORARILY_UNAVAILABLE status");
  const down = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "network" });
  assertEquals(await run(testHttp(() => Promise.reject(down))), "TEMPORARILY_UNAVAILABLE network");
  const empty = { readSecret: () => Promise.resolve("") };
  assertEquals(await run(answer(textAnswer("")), empty), "CONFIGURATION_REFUSED FIELD_EMPTY");
});
