import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { beginDeviceSignIn } from "../../../../adapters/http/sign_in/device.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { createFakeProvider, formOf, ISSUER, type Members, NOW } from "./fake_provider.ts";

const DEVICE = {
  device_code: "device-1",
  user_code: "ABCD-EFGH",
  verification_uri: `${ISSUER}/go`,
  expires_in: 600,
};

test("a code and a page are shown, and the answer is waited for", async () => {
  const fake = await createFakeProvider();
  fake.device = { ...DEVICE, verification_uri_complete: `${ISSUER}/go?code=ABCD-EFGH`, interval: 2 };
  const waits: number[] = [];
  const sleep = (seconds: number): Promise<boolean> => Promise.resolve(waits.push(seconds) > 0);
  const device = await beginDeviceSignIn({ ...fake.context, clock: { ...fake.context.clock, sleep } });
  assertEquals([device.userCode, device.verificationUri, device.completeUri, device.expiresAt], [
    "ABCD-EFGH",
    `${ISSUER}/go`,
    `${ISSUER}/go?code=ABCD-EFGH`,
    NOW + 600,
  ]);
  fake.answers = [
    [400, { error: "authorization_pending" }],
    [400, { error: "slow_down" }],
    [200, { access_token: "a", token_type: "bearer", id_token: await fake.idToken() }],
  ];
  const signedIn = await device.finish();
  assertEquals([signedIn.owner.user, signedIn.refreshToken, waits], ["user-1", null, [2, 2, 7]]);
  assertEquals(formOf(fake.requests[1]!)["device_code"], "device-1");
});

test("nobody answers in time, or the person says no", async () => {
  const fake = await createFakeProvider();
  fake.device = { ...DEVICE, expires_in: 1 };
  let now = NOW;
  const sleep = (seconds: number): Promise<boolean> => Promise.resolve((now += seconds) > 0);
  const late = await beginDeviceSignIn({ ...fake.context, clock: { now: () => now, sleep } });
  assertEquals((await assertRejects(() => late.finish(), EnterpriseError)).code, "SIGN_IN_REQUIRED");
  fake.device = DEVICE;
  for (
    const [error, code] of [["expired_token", "SIGN_IN_REQUIRED"], ["access_denied", "ADMINISTRATOR_REFUSED"]]
  ) {
    const device = await beginDeviceSignIn(fake.context);
    fake.answers = [[400, { error }]];
    assertEquals((await assertRejects(() => device.finish(), EnterpriseError)).code, code);
  }
});

test("what cannot be shown safely is not shown", async () => {
  const fake = await createFakeProvider();
  const bad: readonly Members[] = [
    { user_code: "\u001b[2J" },
    { user_code: "" },
    { verification_uri: "javascript:alert(1)" },
    { verification_uri: "http://idp.example/go" },
    { verification_uri: "https://127.0.0.1/go" },
    { verification_uri_complete: `${ISSUER}/go\u202e` },
  ];
  for (const change of bad) {
    fake.device = { ...DEVICE, ...change };
    const error = await assertRejects(() => beginDeviceSignIn(fake.context), EnterpriseError);
    assertEquals(
      error.code === "DISCOVERY_REFUSED" || error.code === "ASSERTION_REFUSED",
      true,
      JSON.stringify(change),
    );
  }
});

test("a provider that does not offer it", async () => {
  const { context } = await createFakeProvider({ deviceEndpoint: null });
  const error = await assertRejects(() => beginDeviceSignIn(context), EnterpriseError);
  assertEquals([error.code, error.reason], ["DISCOVERY_REFUSED", "device-endpoint-missing"]);
});
