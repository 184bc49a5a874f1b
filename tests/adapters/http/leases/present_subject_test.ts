import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { failureOf, type FakeHost, recordOf, startFakeHost, store, stored, USE } from "../fake_legs.ts";

function sent({ legs }: FakeHost): readonly string[] {
  return legs.asked.filter((one) => /^(exchange|refresh)/.test(one));
}

const TYPED = failureOf("token-exchange", "invalid_request");

test("auto presents the ID token, and the refresh token after a typed refusal, which it remembers", async () => {
  const host = await startFakeHost();
  host.legs.failures.exchange.push(TYPED);
  await host.tokens.token(USE);
  assertEquals(sent(host), ["exchange id_token id-0", "exchange refresh_token refresh-0"]);
  host.clock.time += 301;
  await host.tokens.token(USE);
  assertEquals(sent(host).slice(2), ["exchange refresh_token refresh-0"]);
});

test("auto does not try again after any other refusal", async () => {
  const host = await startFakeHost();
  host.legs.failures.exchange.push(failureOf("token-exchange", "access_denied"));
  await assertRejects(() => host.tokens.token(USE), EnterpriseError);
  assertEquals(sent(host), ["exchange id_token id-0"]);
});

test("auto with an ID token that expired gets another one when the refresh token is not taken", async () => {
  const host = await startFakeHost();
  await store(host.source, recordOf({ idTokenExpiresAt: 900 }));
  host.legs.failures.exchange.push(TYPED);
  host.legs.renewed = "id-1";
  await host.tokens.token(USE);
  assertEquals(sent(host), [
    "exchange refresh_token refresh-0",
    "refresh refresh-0",
    "exchange id_token id-1",
  ]);
  assertEquals((await stored(host.source))?.idToken, "id-1");
});

test("a configured ID token is refreshed when it expired, and is the only one", async () => {
  const host = await startFakeHost({ members: { subject_token: "id_token" } });
  await store(host.source, recordOf({ idTokenExpiresAt: 900 }));
  host.legs.renewed = "id-1";
  await host.tokens.token(USE);
  assertEquals(sent(host), ["refresh refresh-0", "exchange id_token id-1"]);
});

test("a rotated refresh token is stored even when the exchange is refused", async () => {
  const host = await startFakeHost({ members: { subject_token: "refresh_token" } });
  host.legs.rotated = "refresh-1";
  host.legs.failures.exchange.push(failureOf("token-exchange", "access_denied"));
  await assertRejects(() => host.tokens.token(USE), EnterpriseError);
  const record = await stored(host.source);
  assertEquals([record?.refreshToken, record?.revision], ["refresh-1", 1]);
});

test("a refresh token that comes with an exchanged ID token takes nothing's place", async () => {
  const host = await startFakeHost({ members: { subject_token: "id_token" } });
  host.legs.rotated = "unasked";
  await host.tokens.token(USE);
  assertEquals((await stored(host.source))?.refreshToken, "refresh-0");
});

test("nothing left to present: sign in", async () => {
  const host = await startFakeHost();
  await store(host.source, recordOf({ refreshToken: null, idTokenExpiresAt: 900 }));
  const error = await assertRejects(() => host.tokens.token(USE), EnterpriseError);
  assertEquals([error.code, error.reason], ["SIGN_IN_REQUIRED", "expired"]);
  assertEquals(sent(host), []);
});
