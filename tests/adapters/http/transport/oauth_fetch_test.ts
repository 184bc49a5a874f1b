/**
 * What oauth4webapi sees of the hardened transport.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import { oauthFetch } from "../../../../adapters/http/transport/oauth_fetch.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testHttp, textAnswer } from "../answers.ts";

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

test("a status that HTTP does not have, or that has no body, is an answer like any other", async () => {
  for (const status of [999, 600, 199, 0]) {
    assertEquals(await ask(jsonAnswer({ a: 1 }, status)), { status: 502, text: '{"a":1}' });
  }
  for (const status of [204, 205, 304]) {
    assertEquals(await ask(jsonAnswer({ a: 1 }, status)), { status, text: "" });
  }
  const seen: number[] = [];
  const onAnswer = ({ status }: HttpResponse): void => void seen.push(status);
  const fetch = oauthFetch(testHttp(() => jsonAnswer({}, 999)), { signal: noSignal(), onAnswer });
  await fetch("https://as.example/x", { method: "GET", headers: {}, body: undefined, redirect: "manual" });
  assertEquals(seen, [502]);
});

test("a challenge that is too long does not reach the library", async () => {
  const challenge = async (length: number): Promise<number> => {
    const answer = jsonAnswer({}, 401, { "www-authenticate": "a ".repeat(length / 2).trimEnd() });
    const fetch = oauthFetch(testHttp(() => answer), { signal: noSignal() });
    const options = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const;
    return (await fetch("https://as.example/x", options)).headers.get("www-authenticate")?.length ?? 0;
  };
  assertEquals([await challenge(100), await challenge(180_000)], [99, 0]);
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
