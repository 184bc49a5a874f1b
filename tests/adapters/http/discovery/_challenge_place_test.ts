/**
 * The place that a server's own challenge names.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { challengePlace } from "../../../../adapters/http/discovery/_challenge_place.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testHttp, textAnswer } from "../answers.ts";

const SERVER = "https://mcp.example/mcp";

function place(response: HttpResponse): Promise<string | null> {
  return challengePlace(SERVER, { http: testHttp(() => response), signal: noSignal(), seconds: 5 });
}

function challenge(resourceMetadata: string, status = 401): HttpResponse {
  return textAnswer("", status, { "www-authenticate": `Bearer resource_metadata="${resourceMetadata}"` });
}

test("a place on the same origin is taken, any other is not", async () => {
  assertEquals(await place(challenge("https://mcp.example/meta")), "https://mcp.example/meta");
  assertEquals(await place(challenge("https://elsewhere.example/meta")), null);
  assertEquals(await place(challenge("http://mcp.example/meta")), null);
  assertEquals(await place(challenge("/meta")), null);
  assertEquals(await place(challenge("https://mcp.example/meta", 403)), null);
  assertEquals(await place(textAnswer("", 401, { "www-authenticate": "Bearer" })), null);
  assertEquals(await place(textAnswer("", 401)), null);
  assertEquals(await place(jsonAnswer({})), null);
});

test("one request without authorization goes to the configured URL", async () => {
  const http = testHttp(() => textAnswer("", 401));
  await challengePlace(SERVER, { http, signal: noSignal(), seconds: 5 });
  const [request, ...others] = http.requests;
  assertEquals(others, []);
  assertEquals(request?.url, SERVER);
  assertEquals(request?.headers.some(([name]) => name === "authorization"), false);
  const { method, params } = JSON.parse(request?.body ?? "") as { method: string; params: { _meta: object } };
  assertEquals(method, "tools/list");
  assertEquals("io.modelcontextprotocol/clientCapabilities" in params._meta, true);
});

test("an outage is one", async () => {
  for (const status of [429, 500, 503]) {
    const { code } = await assertRejects(() => place(textAnswer("", status)), EnterpriseError);
    assertEquals(code, "TEMPORARILY_UNAVAILABLE");
  }
});
