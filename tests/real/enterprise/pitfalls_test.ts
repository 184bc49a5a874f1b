/**
 * What goes wrong in the field and is easy to bring back: a fall-back to ordinary OAuth, a token endpoint that an MCP
 * server names, scopes that a document publishes, an ID-JAG that is sent twice, a lock that spans a call, a request
 * for a public document that needs a preflight.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import {
  type Endpoint,
  type EnterpriseBed,
  findSecret,
  PROFILE_NAMES,
  select,
  startEnterpriseBed,
} from "../../fixtures/enterprise/mod.ts";
import { callTool } from "../../fixtures/enterprise/trace/mcp_request.ts";
import { exchanges, refused, SECOND, USE } from "./tokens/checks.ts";
import { type Host, type HostOptions, startHost } from "./tokens/host.ts";

/** A host where alice is signed in, and a wire without her sign-in. */
async function signedIn(bed: EnterpriseBed, options: HostOptions = {}): Promise<Host> {
  const host = await startHost(bed, options);
  await host.signIn();
  bed.wire.clear();
  return host;
}

/** The parameters `name` that were sent to an endpoint, in order. */
function sent(bed: EnterpriseBed, endpoint: Endpoint, name: string): readonly (string | undefined)[] {
  return select(bed.wire.entries(), { endpoint }).map(({ params }) => params?.[name]);
}

/** Where an enterprise client has business once somebody is signed in. */
const OWN: ReadonlySet<Endpoint> = new Set([
  "idp.metadata",
  "idp.jwks",
  "idp.refresh",
  "idp.exchange",
  "as.metadata",
  "as.token",
  "mcp.prm",
  "mcp.endpoint",
]);

const REFUSALS: readonly string[] = [
  "policy-denies",
  "policy-denies-target",
  "policy-denies-client",
  "policy-step-up",
  "exchange-invalid_client",
  "exchange-invalid_grant",
  "exchange-invalid_scope",
  "exchange-unsupported_grant_type",
  "idp.exchange-html",
  "idp.exchange-503",
  "redemption-access_denied",
  "redemption-invalid_client",
  "redemption-invalid_grant",
  "redemption-unsupported_grant_type",
  "as.token-redirect-302-same",
  "as-metadata-grants-lacks",
  "as-metadata-profiles-lacks",
  "as-metadata-absent",
  "prm-servers-other",
  "prm-absent",
  "idp-metadata-exchange-types-lacks",
];

test("no refusal is followed by ordinary OAuth, a registration or another sign-in", async () => {
  await using bed = await startEnterpriseBed();
  for (const name of REFUSALS) {
    const host = await signedIn(bed);
    bed.turn(name);
    const fetch = host.tokens.authenticatedFetch(USE);
    await assertRejects(() => fetch(bed.mcp.url, { method: "POST", body: "{}" }), EnterpriseError);
    await host.tokens.idle();
    const others = bed.wire.entries().filter(({ endpoint }) => !OWN.has(endpoint));
    assertEquals(others.map(({ endpoint, url }) => `${endpoint} ${url}`), [], name);
    const grants = new Set(sent(bed, "as.token", "grant_type"));
    grants.delete("urn:ietf:params:oauth:grant-type:jwt-bearer");
    assertEquals([...grants], [], name);
    for (const { headers } of select(bed.wire.entries(), { endpoint: "mcp.endpoint" })) {
      assertEquals(headers["authorization"], undefined, `${name}: a bearer without a lease`);
    }
    bed.reset();
  }
});

test("an MCP server that names another authorization server gets no sign-in, also when it is renewed", async () => {
  for (const oauth of [{}, { authorization_server_issuer: undefined }]) {
    await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
    bed.idp.controls.rotateAtExchange = true;
    const host = await signedIn(bed, { server: { subject_token: "refresh_token", oauth } });
    await host.tokens.token(USE);
    bed.turn("prm-servers-elsewhere");
    host.clock.shift = 301;
    await assertRejects(() => host.tokens.token(USE), EnterpriseError);
    host.tokens.retryServer("notes");
    await assertRejects(() => host.tokens.token(USE), EnterpriseError);
    await host.tokens.idle();
    const toIdp = select(bed.wire.entries(), { site: "idp" });
    const subjects = sent(bed, "idp.exchange", "subject_token");
    assert(subjects.length >= 1 && new Set(subjects).size === subjects.length, "a rotated token came twice");
    for (const secret of [...subjects, ...sent(bed, "idp.refresh", "refresh_token")]) {
      const places = findSecret(bed.wire.entries(), secret ?? "-");
      assert(places.length > 0 && places.every((place) => toIdp.includes(place)));
    }
    assertEquals(select(bed.wire.entries(), { site: "elsewhere", method: "POST" }), []);
  }
});

test("only configured scopes are asked for, whatever a document or a challenge publishes", async () => {
  for (const [scopes, expected] of [[["notes:read"], "notes:read"], [undefined, undefined]] as const) {
    await using bed = await startEnterpriseBed();
    for (const name of ["prm-scopes-broad", "mcp-challenge-scope-broad"]) {
      const host = await signedIn(bed, { server: { scopes } });
      bed.turn(name);
      if (name.startsWith("mcp")) bed.mcp.controls.prmAt = "challenge";
      await host.tokens.token(USE);
      assertEquals(sent(bed, "idp.exchange", "scope"), [expected], name);
      bed.reset();
    }
  }
});

test("where scopes must be named, their absence is told with what to do", async () => {
  await using bed = await startEnterpriseBed({ profile: "okta-org" });
  const host = await signedIn(bed, { server: { scopes: undefined } });
  const error = await refused(host, "SCOPE_REFUSED");
  assertEquals(error.leg, "token-exchange");
  assertStringIncludes(error.message, "Configure scopes");
  assertEquals(host.tokens.status("notes", "one").kind, "scope-refused");
  await host.load({ server: { scopes: ["notes:read"] } });
  await host.tokens.reauthorizeThread(USE);
  await host.tokens.token(USE);
});

test("the ID-JAG's own scopes are redeemed, not those that were asked for", async () => {
  await using bed = await startEnterpriseBed();
  const host = await signedIn(bed, { server: { scopes: ["notes:read", "notes:write"] } });
  bed.idp.controls.scopes = ["notes:read"];
  await host.tokens.token(USE);
  assertEquals(sent(bed, "idp.exchange", "scope"), ["notes:read notes:write"]);
  assertEquals(sent(bed, "as.token", "scope"), ["notes:read"]);
});

test("every refusal says at which leg, and of what", async () => {
  await using bed = await startEnterpriseBed();
  const host = await signedIn(bed);
  for (const [name, leg] of [["exchange", "token-exchange"], ["redemption", "redemption"]] as const) {
    bed.turn(`${name}-invalid_target`);
    const error = await refused(host, "ADMINISTRATOR_REFUSED");
    assertEquals(error.leg, leg);
    assertStringIncludes(error.message, name === "exchange" ? bed.idp.issuer : bed.as.issuer);
    assertStringIncludes(error.message, `resource "${bed.mcp.url}"`);
    assertEquals(error.message.includes(`audience "${bed.as.issuer}"`), name === "exchange");
    bed.restore();
    host.tokens.retryServer("notes");
  }
});

for (const profile of PROFILE_NAMES) {
  test(`each ID-JAG is redeemed once, documents are asked for without a preflight (${profile})`, async () => {
    await using bed = await startEnterpriseBed({ profile });
    const [subject_token] = profile === "ping-refresh" ? ["refresh_token"] : ["auto"];
    const host = await signedIn(bed, { server: { subject_token } });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([host.tokens.token(USE), host.tokens.token(SECOND)]);
      host.clock.shift = 301 - host.clock.shift;
    }
    const assertions = sent(bed, "as.token", "assertion");
    assert(assertions.length >= 8 && new Set(assertions).size === assertions.length);
    // what a browser or an edge runtime sends without asking first, and what the connection needs
    const simple = /^(accept|accept-encoding|accept-language|connection|host|sec-fetch-mode|user-agent)$/;
    for (const { headers, url, endpoint } of select(bed.wire.entries(), { method: "GET" })) {
      if (endpoint === "mcp.endpoint") continue;
      assertEquals(Object.keys(headers).filter((name) => !simple.test(name)), [], url);
    }
  });
}

test("a call that lasts keeps neither other calls nor a renewal waiting", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  const host = await signedIn(bed, { server: { subject_token: "refresh_token" } });
  const call = async (tool: string): Promise<string> => {
    const { init } = callTool(bed, { tool, token: "" });
    const headers = new Headers(init.headers);
    headers.delete("authorization");
    return await (await host.tokens.authenticatedFetch(USE)(bed.mcp.url, { ...init, headers })).text();
  };
  await host.tokens.token(USE);
  const held = call("hold");
  while (!bed.wire.entries().some(({ body }) => body.includes("hold"))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assertStringIncludes(await call("whoami"), "alice");
  host.clock.shift = 301;
  assertEquals(await exchanges(bed, () => call("whoami")), 1);
  assertEquals(await exchanges(bed, () => host.tokens.token(SECOND)), 1);
  const [open] = bed.wire.entries().filter(({ body }) => body.includes("hold"));
  assertEquals(open?.status, null, "the call had ended before");
  bed.release();
  assertStringIncludes(await held, "released");
});
