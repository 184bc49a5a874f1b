/**
 * The enterprise test bed records what a security test asks for, follows what goes astray, shows people a page, and
 * keeps its clocks apart.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  countConcurrent,
  countSequentialLegs,
  findSecret,
  select,
  startEnterpriseBed,
} from "../../fixtures/enterprise/mod.ts";
import { formRequest } from "../../fixtures/enterprise/trace/client_request.ts";
import {
  type Answer,
  call,
  obtain,
  post,
  refresh,
  TYPE,
} from "../../fixtures/enterprise/trace/hand_client.ts";
import { signIn, trace } from "../../fixtures/enterprise/trace/trace.ts";

test("the recorder counts legs and concurrency and knows where a secret went", async () => {
  await using bed = await startEnterpriseBed();
  const { bearer, idToken, idJag } = await obtain(bed);
  const at = (secret: string): string[] =>
    findSecret(bed.wire.entries(), secret).map(({ endpoint }) => endpoint);
  assertEquals(at(idToken), ["idp.exchange"]);
  assertEquals(at(idJag), ["as.token"]);
  assertEquals(at(bed.idp.client.secret ?? ""), ["idp.code", "idp.exchange"]);
  assertEquals(at(bed.as.client.secret ?? ""), ["as.token"]);
  assertEquals(at(bearer), []);
  assertEquals((await call(bed, bearer)).status, 200);
  assertEquals(at(bearer), ["mcp.endpoint"]);
  const shown = inspect(bed.wire.entries(), { depth: 9 });
  for (const secret of bed.secretsInPlay()) assert(!shown.includes(secret));

  bed.wire.clear();
  bed.latency = 20;
  const get = async (): Promise<void> => void await (await fetch(`${bed.idp.issuer}/jwks`)).body?.cancel();
  await get();
  await Promise.all([get(), get(), get()]);
  await get();
  const entries = select(bed.wire.entries(), { endpoint: "idp.jwks" });
  assertEquals(entries.length, 5);
  assertEquals(countConcurrent(entries), 3);
  assertEquals(countSequentialLegs(entries), 3);
  assert(entries.every(({ startedAt, endedAt }) => (endedAt ?? 0) - startedAt >= 19));
});

test("what goes to the foreign origin works there, and is recorded as astray", async () => {
  await using bed = await startEnterpriseBed();
  const { tokens } = await signIn(bed);
  bed.turn("idp.exchange-redirect-307-elsewhere");
  const init = await formRequest(bed.idp.client, {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: `${TYPE}id-jag`,
    subject_token: String(tokens?.["id_token"]),
    subject_token_type: `${TYPE}id_token`,
    audience: bed.as.issuer,
    resource: bed.mcp.url,
  }, { audience: bed.idp.issuer });
  const followed = await fetch(`${bed.idp.issuer}/token`, { ...init, redirect: "follow" });
  assertEquals(followed.status, 200);
  await followed.body?.cancel();
  const astray = select(bed.wire.entries(), { site: "elsewhere" });
  assertEquals(astray.map(({ endpoint }) => endpoint), ["idp.exchange"]);
  assertEquals(findSecret(astray, bed.idp.client.secret ?? "").length, 1);
  const hostile = await fetch(`${bed.elsewhere.origin}/.well-known/oauth-authorization-server/as`);
  assertEquals((await hostile.json() as { issuer: string }).issuer, bed.elsewhere.asIssuer);
});

test("people get a page, devices are approved for the account that is named", async () => {
  await using bed = await startEnterpriseBed();
  bed.idp.controls.signIn = "form";
  const jar = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", ...init, headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  const query = new URLSearchParams({
    response_type: "code",
    client_id: bed.idp.client.id,
    redirect_uri: "http://127.0.0.1:9/callback",
    scope: "openid",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  const start = await visit(`${bed.idp.issuer}/auth?${query}`);
  const page = new URL(start.headers.get("location") ?? "", bed.idp.issuer).href;
  assertStringIncludes(await (await visit(page)).text(), "bob@acme.example");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const chosen = await visit(page, { method: "POST", headers, body: "account=bob" });
  const back = await visit(new URL(chosen.headers.get("location") ?? "", page).href);
  assertMatch(back.headers.get("location") ?? "", /^http:\/\/127\.0\.0\.1:9\/callback\?code=/);

  const device = await post(`${bed.idp.issuer}/device/auth`, bed.idp.client, { scope: "openid" });
  const poll = (): Promise<Answer> =>
    post(`${bed.idp.issuer}/token`, bed.idp.client, {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: String(device.body["device_code"]),
    });
  assertEquals((await poll()).verdict, "400 authorization_pending");
  await bed.approveDevice(String(device.body["user_code"]), "bob");
  const claims = String((await poll()).body["id_token"]).split(".")[1] ?? "";
  assertStringIncludes(atob(claims.replaceAll("-", "+").replaceAll("_", "/")), '"sub":"user-bob"');
});

test("a clock that is off shows in the Date header, the ID-JAG and the check of it", async () => {
  await using bed = await startEnterpriseBed();
  const verdict = async (): Promise<unknown> => (await trace(bed, { until: "as.token" })).at(-1)?.observation;
  bed.skew("idp", 600);
  assertStringIncludes(JSON.stringify(await verdict()), "invalid_grant");
  bed.skew("as", 600);
  assertStringIncludes(JSON.stringify(await verdict()), '"status":200');
  bed.reset();
  bed.skew("as", 400);
  assertStringIncludes(JSON.stringify(await verdict()), "invalid_grant");
});

test("a request can be held while something else happens, and closing the bed cuts what is open", async () => {
  const bed = await startEnterpriseBed();
  const { bearer } = await obtain(bed);
  const hold = bed.faults.hold("mcp.endpoint");
  const stalled = bed.wire.nextStall("mcp.endpoint");
  const held = call(bed, bearer);
  assertEquals((await stalled).status, null);
  bed.revokeAccessTokens();
  hold.release();
  assertEquals((await held).status, 401);
  bed.faults.set("idp.jwks", { kind: "hang" });
  const hanging = bed.wire.nextStall("idp.jwks");
  const never = fetch(`${bed.idp.issuer}/jwks`).then(() => "answered", () => "cut");
  const dripping = bed.wire.nextStall("as.metadata");
  bed.faults.set("as.metadata", { kind: "drip" });
  const drip = await fetch(`${bed.as.issuer}/.well-known/oauth-authorization-server`);
  await Promise.all([hanging, dripping]);
  await bed.close();
  assertEquals(await never, "cut");
  assertEquals(await drip.text().then(() => "answered", () => "cut"), "cut");
  assertEquals(bed.wire.entries().filter(({ endedAt }) => endedAt === null), []);
});

test("a subscription is told of changed tools, and its request is open until the client leaves", async () => {
  await using bed = await startEnterpriseBed();
  const { bearer } = await obtain(bed);
  const changed = Promise.withResolvers<void>();
  const client = new Client({ name: "bed-test", version: "1" }, {
    versionNegotiation: { mode: "auto" },
    listChanged: { tools: { onChanged: () => changed.resolve() } },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(bed.mcp.url), {
      requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    }),
  );
  const entry = bed.wire.entries().find(({ body }) => body.includes("subscriptions/listen"));
  assertEquals(entry?.endedAt, null);
  bed.announceTools();
  await changed.promise;
  await client.close();
});

test("of requests that present one rotating token together one wins, and then the family is revoked", async () => {
  await using bed = await startEnterpriseBed();
  const { refreshToken } = await obtain(bed);
  const hold = bed.faults.hold("idp.refresh");
  const answers = Array.from({ length: 8 }, () => refresh(bed, refreshToken));
  while (select(bed.wire.entries(), { endpoint: "idp.refresh" }).length < answers.length) {
    await bed.wire.nextStall("idp.refresh");
  }
  hold.release();
  const all = await Promise.all(answers);
  const winners = all.filter(({ verdict }) => verdict === "200");
  assertEquals(winners.length, 1);
  assert(all.every((answer) => winners.includes(answer) || answer.verdict === "400 invalid_grant"));
  assertEquals((await refresh(bed, winners[0]?.body["refresh_token"])).verdict, "400 invalid_grant");
});
