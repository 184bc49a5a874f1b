/**
 * One authenticated request to a token endpoint, and what is read off its answer.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import {
  sendAuthenticated,
  tokenRequest,
  type TokenRequestContext,
} from "../../../../adapters/http/exchange/token_request.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { jsonAnswer, noSignal, testClock, type TestHttp, testHttp, textAnswer } from "../answers.ts";
import { IDP, IDP_CLIENT, metadataOf, readSecret, SECRET } from "../parties.ts";

function contextOf(http: TestHttp, change: Partial<TokenRequestContext> = {}): TokenRequestContext {
  return {
    http,
    clock: testClock(1000),
    metadata: metadataOf(IDP),
    client: IDP_CLIENT,
    readSecret,
    signal: noSignal(),
    ...change,
  };
}

const PARAMETERS = [["grant_type", "urn:x"], ["a", "1 &"]] as const;

test("the parameters, the client and nothing else go to the token endpoint, once", async () => {
  const http = testHttp(() => jsonAnswer({ x: 1 }, 200, { date: "Sun, 06 Nov 1994 08:49:37 GMT" }));
  const answer = await tokenRequest(PARAMETERS, contextOf(http));
  assertEquals(http.requests.length, 1);
  const [request] = http.requests;
  assertEquals([request?.method, request?.url], ["POST", `${IDP}/token`]);
  assertEquals(Object.fromEntries(new URLSearchParams(request?.body)), {
    grant_type: "urn:x",
    a: "1 &",
    client_id: "idp-client",
    client_secret: SECRET,
  });
  const names = request?.headers.map(([name]) => name.toLowerCase()).sort();
  assertEquals(names, ["accept", "content-type", "user-agent"].filter((name) => names?.includes(name)));
  assertEquals(answer, {
    status: 200,
    document: { kind: "json", value: { x: 1 } },
    anyDocument: { x: 1 },
    now: 1000,
    serverNow: 784111777,
    retryAfter: null,
  });
});

test("an answer that is no document is one all the same, with its status", async () => {
  const page = testHttp(() =>
    textAnswer('{"x":1}', 302, { "content-type": "text/html", "retry-after": "9" })
  );
  const answer = await tokenRequest(PARAMETERS, contextOf(page));
  assertEquals([answer.status, answer.document.kind, answer.retryAfter], [302, "not-json", 9]);
  assertEquals(answer.anyDocument, { x: 1 });
});

test("nothing is sent when the method does not fit or the secret is missing", async () => {
  const http = testHttp(() => jsonAnswer({}));
  const codeOf = async (change: Partial<TokenRequestContext>): Promise<string> => {
    const error = await assertRejects(
      () => tokenRequest(PARAMETERS, contextOf(http, change)),
      EnterpriseError,
    );
    return `${error.code} ${error.reason}`;
  };
  const metadata = { ...metadataOf(IDP), clientMethods: ["private_key_jwt"] };
  assertEquals(await codeOf({ metadata }), "CLIENT_REFUSED method-unsupported");
  assertEquals(await codeOf({ readSecret: () => Promise.resolve("") }), "CONFIGURATION_REFUSED FIELD_EMPTY");
  assertEquals(http.requests, []);
});

test("an error of ours comes as it is, one of the library without what it carries", async () => {
  const unavailable = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it");
  const down = testHttp(() => Promise.reject(unavailable));
  assertEquals(await assertRejects(() => tokenRequest(PARAMETERS, contextOf(down))), unavailable);
  const library = Object.assign(new Error(SECRET, { cause: { body: SECRET } }), {
    code: "OAUTH_INVALID_REQUEST",
  });
  const error = await assertRejects(
    () => sendAuthenticated(contextOf(down), () => Promise.reject(library)),
    EnterpriseError,
  );
  assertEquals(error.cause, { name: "Error", code: "OAUTH_INVALID_REQUEST", status: null });
  assertEquals(inspect(error, { depth: 9, showHidden: true }).includes(SECRET), false);
});
