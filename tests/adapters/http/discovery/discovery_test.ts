/**
 * All three documents together: what runs at the same time, what waits, and what ends the rest.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Discovery } from "../../../../adapters/http/discovery/discovery.ts";
import type { EnterpriseServer } from "../../../../core/enterprise/config/server.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testClock, type TestHttp, testHttp, textAnswer } from "../answers.ts";
import { AS, documentOf, IDP, MCP, PROVIDER, SERVER } from "../parties.ts";

const PRM = "https://mcp.example/.well-known/oauth-protected-resource";
const AS_METADATA = `${AS}/.well-known/oauth-authorization-server`;

type Documents = Readonly<Record<string, unknown>>;

const DOCUMENTS: Documents = {
  [`${PRM}/mcp`]: { resource: MCP, authorization_servers: [AS] },
  [AS_METADATA]: documentOf(AS),
  [`${IDP}/.well-known/openid-configuration`]: documentOf(IDP),
};

function serve(documents: Documents): TestHttp {
  return testHttp(({ url }): HttpResponse => {
    const document = documents[url];
    return document === undefined ? textAnswer("", 404) : jsonAnswer(document);
  });
}

function discoveryOf(http: TestHttp): Discovery {
  return new Discovery({ http, clock: testClock(), random: () => 0 });
}

async function refusal(documents: Documents, server: EnterpriseServer = SERVER): Promise<string> {
  const discovery = discoveryOf(serve(documents));
  const error = await assertRejects(
    () => discovery.discover(server, { provider: PROVIDER, signal: noSignal() }),
    EnterpriseError,
  );
  return `${error.code} ${error.reason}`;
}

test("with a configured issuer every place is asked before any has answered", async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => open = resolve);
  const http = testHttp(async ({ url }) => {
    await gate;
    return url in DOCUMENTS ? jsonAnswer(DOCUMENTS[url]) : textAnswer("", 404);
  });
  const pending = discoveryOf(http).discover(SERVER, { provider: PROVIDER, signal: noSignal() });
  await Promise.resolve();
  assertEquals(new Set(http.requests.map(({ url }) => new URL(url).origin)).size, 3);
  open();
  const facts = await pending;
  assertEquals(facts.resource, MCP);
  assertEquals(facts.authorizationServer.issuer, AS);
  assertEquals(facts.provider.issuer, IDP);
  assert(http.requests.every(({ method }) => method === "GET"));
});

test("what was found is not asked for again, until it is forgotten", async () => {
  const http = serve(DOCUMENTS);
  const discovery = discoveryOf(http);
  const discover = () => discovery.discover(SERVER, { provider: PROVIDER, signal: noSignal() });
  await discover();
  const first = http.requests.length;
  await discover();
  assertEquals(http.requests.length, first);
  discovery.forget();
  await discover();
  assertEquals(http.requests.length, 2 * first);
});

test("the configured resource is sent in place of the published one", async () => {
  const facts = await discoveryOf(serve(DOCUMENTS)).discover(
    { ...SERVER, resource: "https://mcp.example/" },
    { provider: PROVIDER, signal: noSignal() },
  );
  assertEquals(facts.resource, "https://mcp.example/");
});

test("a configured issuer that the resource does not publish is refused", async () => {
  const other = {
    ...DOCUMENTS,
    [`${PRM}/mcp`]: { resource: MCP, authorization_servers: ["https://other.example"] },
  };
  assertEquals(await refusal(other), "DISCOVERY_REFUSED not-published");
  const slash = { ...DOCUMENTS, [`${PRM}/mcp`]: { resource: MCP, authorization_servers: [`${AS}/`] } };
  const found = await discoveryOf(serve(slash)).discover(SERVER, { provider: PROVIDER, signal: noSignal() });
  assertEquals(found.authorizationServer.issuer, AS);
});

test("each missing or foreign document is refused by its own reason", async () => {
  assertEquals(await refusal({}), "DISCOVERY_REFUSED not-found");
  const foreign = { ...DOCUMENTS, [AS_METADATA]: documentOf("https://other.example") };
  assertEquals(await refusal(foreign), "DISCOVERY_REFUSED issuer-mismatch");
  const elsewhere = { ...documentOf(AS), token_endpoint: "https://other.example/token" };
  assertEquals(
    await refusal({ ...DOCUMENTS, [AS_METADATA]: elsewhere }),
    "DISCOVERY_REFUSED endpoint-off-origin",
  );
  const mismatch = { ...DOCUMENTS, [`${PRM}/mcp`]: { resource: "https://other.example/" } };
  assertEquals(await refusal(mismatch), "DISCOVERY_REFUSED resource-mismatch");
});

test("a configured endpoint may lie elsewhere", async () => {
  const tokenEndpoint = "https://tokens.example/token";
  const documents = { ...DOCUMENTS, [AS_METADATA]: { ...documentOf(AS), token_endpoint: tokenEndpoint } };
  const { authorizationServer } = await discoveryOf(serve(documents)).discover(
    { ...SERVER, tokenEndpoint },
    { provider: PROVIDER, signal: noSignal() },
  );
  assertEquals(authorizationServer.tokenEndpoint, tokenEndpoint);
});

const UNCONFIGURED: EnterpriseServer = { ...SERVER, authorizationServer: null };

test("without a configured issuer the published ones are weighed, and an outage is not taken for a refusal", async () => {
  const one = "https://one.example";
  const published = { ...DOCUMENTS, [`${PRM}/mcp`]: { resource: MCP, authorization_servers: [one, AS] } };
  const profile = {
    ...documentOf(AS),
    authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
  };
  const place = `${one}/.well-known/oauth-authorization-server`;
  const both = { ...published, [place]: documentOf(one), [AS_METADATA]: profile };
  const discover = (http: TestHttp) =>
    discoveryOf(http).discover(UNCONFIGURED, { provider: PROVIDER, signal: noSignal() });
  assertEquals((await discover(serve(both))).authorizationServer.issuer, AS);
  assertEquals(
    (await discover(serve({ ...both, [AS_METADATA]: documentOf(AS) }))).authorizationServer.issuer,
    one,
  );
  assertEquals(
    await refusal({ ...published, [AS_METADATA]: {} }, UNCONFIGURED),
    "DISCOVERY_REFUSED none-suitable",
  );
  const down = testHttp(({ url }) => {
    if (url.startsWith(one)) return jsonAnswer({}, 503);
    return url in published && url !== AS_METADATA
      ? jsonAnswer((published as Documents)[url])
      : textAnswer("", 404);
  });
  assertEquals((await assertRejects(() => discover(down), EnterpriseError)).code, "TEMPORARILY_UNAVAILABLE");
  assertEquals(
    await refusal({ ...DOCUMENTS, [`${PRM}/mcp`]: { resource: MCP } }, UNCONFIGURED),
    "DISCOVERY_REFUSED none-published",
  );
});

test("the server's own challenge is asked for last, and only when the well-known places hold no document", async () => {
  const hidden = "https://mcp.example/hidden";
  const http = testHttp(({ url, method }) => {
    if (method === "POST") {
      return textAnswer("", 401, { "www-authenticate": `Bearer resource_metadata="${hidden}"` });
    }
    return url === hidden
      ? jsonAnswer({ resource: MCP })
      : textAnswer("<p>", 200, { "content-type": "text/html" });
  });
  const { value } = await discoveryOf(http).resource(SERVER, { signal: noSignal() });
  assertEquals(value.resource, MCP);
  const refusing = serve({ [`${PRM}/mcp`]: {} });
  await assertRejects(() => discoveryOf(refusing).resource(SERVER, { signal: noSignal() }), EnterpriseError);
  assert(refusing.requests.every(({ method }) => method === "GET"));
});

test("the first refusal ends the requests that still run", async () => {
  const ended: string[] = [];
  const http = testHttp(({ url }, { signal }) => {
    if (!url.startsWith(IDP)) return url in DOCUMENTS ? jsonAnswer({ resource: 1 }) : textAnswer("", 404);
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        ended.push(url);
        reject(new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "aborted" }));
      })
    );
  });
  const discover = () => discoveryOf(http).discover(SERVER, { provider: PROVIDER, signal: noSignal() });
  assertEquals((await assertRejects(discover, EnterpriseError)).code, "DISCOVERY_REFUSED");
  assert(ended.length > 0);
});

test("the parts can be asked for one by one", async () => {
  const discovery = discoveryOf(serve(DOCUMENTS));
  const signal = noSignal();
  assertEquals((await discovery.provider(PROVIDER, { signal })).value.issuer, IDP);
  assertEquals((await discovery.authorizationServer(SERVER, { published: null, signal })).value.issuer, AS);
  const { notes } = await discovery.authorizationServer(UNCONFIGURED, { published: [AS], signal });
  assertEquals(notes.map(({ reason }) => reason), ["profile-unknown"]);
});
