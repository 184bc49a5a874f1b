/**
 * What oauth4webapi sees of the hardened transport.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import { oauthFetch } from "../../../adapters/http/oauth_fetch.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testHttp, textAnswer } from "./answers.ts";

const AS: oauth.AuthorizationServer = {
  issuer: "https://as.example",
  token_endpoint: "https://as.example/token",
};

async function ask(answer: HttpResponse): Promise<{ readonly status: number; readonly text: string }> {
  const fetch = oauthFetch(testHttp(() => answer), { signal: noSignal() });
  const response = await fetch("https://as.example/x", {
    method: "GET",
    headers: {},
    body: undefined,
    redirect: "manual",
  });
  return { status: response.status, text: await response.text() };
}

test("a request of the library goes out as a form, and its answer comes back", async () => {
  const http = testHttp(() => jsonAnswer({ access_token: "t", token_type: "bearer" }));
  const seen: number[] = [];
  const options = {
    [oauth.customFetch]: oauthFetch(http, {
      signal: noSignal(),
      onAnswer: ({ status }) => void seen.push(status),
    }),
  };
  const client = { client_id: "c" };
  const response = await oauth.refreshTokenGrantRequest(AS, client, oauth.None(), "r", options);
  const answer = await oauth.processRefreshTokenResponse(AS, client, response);
  assertEquals(answer.access_token, "t");
  assertEquals(seen, [200]);
  const [request] = http.requests;
  assertEquals(request?.method, "POST");
  assertEquals(request?.url, "https://as.example/token");
  assertEquals(Object.fromEntries(new URLSearchParams(request?.body)), {
    client_id: "c",
    grant_type: "refresh_token",
    refresh_token: "r",
  });
});

test("a redirect, another media type and a body that is too long come without their body", async () => {
  assertEquals(await ask(jsonAnswer({ a: 1 })), { status: 200, text: '{"a":1}' });
  assertEquals(await ask(jsonAnswer({ a: 1 }, 307, { location: "/" })), { status: 307, text: "" });
  assertEquals(await ask(textAnswer('{"a":1}', 200, { "content-type": "text/plain" })), {
    status: 200,
    text: "",
  });
  assertEquals(await ask({ status: 200, headers: [], body: null }), { status: 200, text: "" });
  assertEquals(await ask(textAnswer("", 204)), { status: 204, text: "" });
});

test("headers of a coding that is already undone are left out", async () => {
  const fetch = oauthFetch(
    testHttp(() => jsonAnswer({}, 200, { "content-encoding": "gzip", "content-length": "9999" })),
    { signal: noSignal() },
  );
  const response = await fetch("https://as.example/x", {
    method: "GET",
    headers: {},
    body: undefined,
    redirect: "manual",
  });
  assertEquals(response.headers.get("content-encoding"), null);
  assertEquals(await response.json(), {});
});

test("either signal ends the request, and an error of ours comes through the library", async () => {
  const unavailable = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it");
  const http = testHttp((_, { signal }) => {
    assertEquals(signal.aborted, true);
    throw unavailable;
  });
  for (const own of [true, false]) {
    const fetch = oauthFetch(http, { signal: own ? AbortSignal.abort() : noSignal() });
    const options = { [oauth.customFetch]: fetch, ...(own ? {} : { signal: AbortSignal.abort() }) };
    const error = await assertRejects(
      () => oauth.refreshTokenGrantRequest(AS, { client_id: "c" }, oauth.None(), "r", options),
      EnterpriseError,
    );
    assertEquals(error, unavailable);
  }
});
