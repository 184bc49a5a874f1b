/**
 * The table of retention and revocation, the rows about what the identity provider, the authorization server and the
 * MCP server answer, over the whole test bed.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError, type EnterpriseErrorCode } from "../../../../core/enterprise/error.ts";
import { select, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { exchanges, refused, SECOND, stored, USE } from "./checks.ts";
import { startHost } from "./host.ts";

test("what moved blocks that server", async () => {
  for (
    const [name, what] of [
      ["as-metadata-issuer-elsewhere", "issuer"],
      ["as-metadata-token-endpoint-moved", "endpoint"],
      ["as-metadata-token-endpoint-elsewhere", "endpoint"],
      ["prm-servers-other", "authorization-server"],
    ] as const
  ) {
    await using bed = await startEnterpriseBed();
    const host = await startHost(bed);
    const record = await host.signIn();
    const first = await host.tokens.token(USE);
    host.clock.shift = 301;
    bed.turn(name);
    await refused(host, "DISCOVERY_REFUSED");
    assertEquals(host.tokens.status("notes"), { kind: "moved", what }, name);
    assertEquals(await exchanges(bed, () => refused(host, "DISCOVERY_REFUSED")), 0);
    assertEquals((await stored(host))?.generation, record.generation);
    bed.restore();
    await refused(host, "DISCOVERY_REFUSED");
    host.tokens.retryServer("notes");
    assert(await host.tokens.token(USE) !== first);
  }
});

test("invalid_grant at leg 1 deletes only when a plain refresh is refused too", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  const host = await startHost(bed, { server: { subject_token: "refresh_token" } });
  const record = await host.signIn();
  for (const name of ["exchange-invalid_grant", "exchange-invalid_request"]) {
    bed.turn(name);
    await refused(host, "ASSERTION_REFUSED");
    assertEquals(host.tokens.status("notes").kind, "identity-refused");
    const kept = await stored(host);
    assertEquals(kept?.generation, record.generation);
    assert(kept?.refreshToken !== record.refreshToken, "the rotated token was not stored");
    bed.restore();
    host.tokens.retryServer("notes");
    await host.tokens.token(USE);
    host.clock.shift = 301 - host.clock.shift;
  }
  await bed.revokeGrants();
  await refused(host, "SIGN_IN_REQUIRED");
  await host.tokens.idle();
  assertEquals(await stored(host), null);
  assertEquals(host.tokens.status("notes"), { kind: "signed-out", because: "refused" });
});

test("an outage of the plain refresh deletes nothing", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  const record = await host.signIn();
  bed.turn("exchange-invalid_grant");
  bed.turn("idp.refresh-503");
  await refused(host, "ASSERTION_REFUSED");
  assertEquals((await stored(host))?.generation, record.generation);
  assertEquals(host.tokens.status("notes").kind, "unavailable");
  bed.restore();
  // whoever asked to be left alone is, five minutes at most
  host.clock.shift = 301;
  await host.tokens.token(USE);
});

const VERDICTS: readonly (readonly [switchName: string, code: EnterpriseErrorCode, status: string])[] = [
  ["exchange-access_denied", "ADMINISTRATOR_REFUSED", "administrator-denied"],
  ["exchange-invalid_target", "ADMINISTRATOR_REFUSED", "administrator-denied"],
  ["exchange-unauthorized_client", "ADMINISTRATOR_REFUSED", "administrator-denied"],
  ["redemption-access_denied", "ADMINISTRATOR_REFUSED", "administrator-denied"],
  ["redemption-invalid_target", "ADMINISTRATOR_REFUSED", "administrator-denied"],
  ["redemption-invalid_grant", "ASSERTION_REFUSED", "assertion-refused"],
  ["exchange-invalid_client", "CLIENT_REFUSED", "client-refused"],
  ["redemption-invalid_client", "CLIENT_REFUSED", "client-refused"],
  ["exchange-invalid_scope", "SCOPE_REFUSED", "scope-refused"],
  ["redemption-invalid_scope", "SCOPE_REFUSED", "scope-refused"],
  ["exchange-insufficient_user_authentication", "STRONGER_SIGN_IN_REQUIRED", "stronger-sign-in"],
];

test("verdicts block that server, drop its leases and keep everything else", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  const record = await host.signIn();
  const second = await host.tokens.token(SECOND);
  for (const [name, code, kind] of VERDICTS) {
    bed.turn(name);
    const repeated = name === "redemption-invalid_grant" ? 2 : 1;
    assertEquals(await exchanges(bed, () => refused(host, code)), repeated, name);
    assertEquals(host.tokens.status("notes", "one").kind, kind, name);
    assertEquals(await exchanges(bed, () => refused(host, code)), 0, `${name} was asked again`);
    assertEquals(await host.tokens.token(SECOND), second, name);
    bed.restore();
    host.tokens.retryServer("notes");
  }
  await host.tokens.token(USE);
  assertEquals((await stored(host))?.generation, record.generation);
});

test("two 401 in a row block, and a retry by a person goes on", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const send = (): Promise<Response> =>
    host.tokens.authenticatedFetch(USE)(bed.mcp.url, { method: "POST", body: "{}" });
  bed.turn("mcp-unauthorized-always");
  const error = await assertRejects(send, EnterpriseError);
  assertEquals([error.code, error.reason], ["REAUTHORIZATION_REQUIRED", "bearer-refused"]);
  assertEquals(select(bed.wire.entries(), { endpoint: "mcp.endpoint" }).length, 2);
  assertEquals(host.tokens.status("notes"), { kind: "reconnect", because: "bearer-refused" });
  bed.restore();
  await assertRejects(send, EnterpriseError);
  host.tokens.retryServer("notes");
  await (await send()).body?.cancel();
  assertEquals(host.tokens.status("notes").kind, "ready");
});

test("insufficient_user_authentication from the MCP server is a stronger sign-in", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  bed.mcp.controls.unauthorized = Infinity;
  Object.assign(bed.mcp.controls, { challenge: { error: "insufficient_user_authentication" } });
  const send = host.tokens.authenticatedFetch(USE);
  const error = await assertRejects(() => send(bed.mcp.url, { method: "POST", body: "{}" }), EnterpriseError);
  assertEquals(error.code, "STRONGER_SIGN_IN_REQUIRED");
  assertEquals(host.tokens.status("notes").kind, "stronger-sign-in");
});

test("429, 5xx, a cut connection and silence keep everything", async () => {
  await using bed = await startEnterpriseBed();
  for (
    const name of [
      "idp.exchange-429",
      "idp.exchange-500",
      "idp.exchange-reset",
      "as.token-503",
      "as.token-reset",
      "idp.exchange-hang",
    ]
  ) {
    const host = await startHost(bed, { deadline: 2 });
    const record = await host.signIn();
    bed.turn(name);
    await refused(host, "TEMPORARILY_UNAVAILABLE");
    assertEquals(host.tokens.status("notes", "one").kind, "unavailable", name);
    assertEquals((await stored(host))?.generation, record.generation);
    bed.restore();
    host.clock.shift = 301;
    await host.tokens.token(USE);
    assertEquals(host.tokens.status("notes", "one").kind, "ready", name);
  }
});

test("a token endpoint that asks to be left alone gets no request until then", async () => {
  await using bed = await startEnterpriseBed();
  for (const [endpoint, leg] of [["idp.exchange", "token-exchange"], ["as.token", "redemption"]] as const) {
    const host = await startHost(bed);
    await host.signIn();
    const other = { thread: "one", server: "second" };
    const held = await host.tokens.token(other);
    for (const status of [429, 503]) {
      bed.faults.set(endpoint, { kind: "status", status, retryAfter: "120" });
      await refused(host, "TEMPORARILY_UNAVAILABLE");
      bed.restore();
      bed.wire.clear();
      for (let call = 0; call < 20; call += 1) {
        const error = await refused(host, "TEMPORARILY_UNAVAILABLE");
        assertEquals([error.reason, error.leg], ["retry-after", leg]);
        assertMatch(error.message, /until 20\d\d-\d\d-\d\dT[\d:]{8}Z$/);
      }
      assertEquals(bed.wire.entries(), [], "it was asked");
      assertEquals(await host.tokens.token(other), held, "what was got before is lost");
      host.clock.shift += 121;
    }
    await host.tokens.token(USE);
  }
});

test("a result that comes after a revocation is dropped", async () => {
  await using bed = await startEnterpriseBed();
  const host = await startHost(bed);
  await host.signIn();
  const hold = bed.faults.hold("as.token");
  const stalled = bed.wire.nextStall("as.token");
  const given = host.tokens.token(USE);
  await stalled;
  const out = host.tokens.signOut("default");
  hold.release();
  assertEquals((await assertRejects(() => given, EnterpriseError)).code, "SIGN_IN_REQUIRED");
  await out;
  await refused(host, "SIGN_IN_REQUIRED");
});
