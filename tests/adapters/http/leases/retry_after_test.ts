import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { RetryAfter } from "../../../../adapters/http/leases/retry_after.ts";
import type { RequestFailure } from "../../../../adapters/http/exchange/outcome.ts";
import { EnterpriseError, type Leg } from "../../../../core/enterprise/error.ts";
import { createFakeLegs, failureOf, SERVER_URL, startFakeHost, USE } from "../fake_legs.ts";
import { metadataOf, PROVIDER, SERVER } from "../parties.ts";

const SECOND = { ...USE, thread: "two" };

function later(leg: Leg, seconds: number | null, status = 429): RequestFailure {
  return { ...failureOf(leg, null, status), retryAfter: seconds };
}

for (const [leg, step] of [["token-exchange", "exchange"], ["redemption", "redeem"]] as const) {
  test(`${step}: an endpoint that asks to be left alone is, and the caller is told until when`, async () => {
    const { tokens, legs, clock } = await startFakeHost();
    legs.failures[step].push(later(leg, 60, 503));
    assertEquals(
      (await assertRejects(() => tokens.token(USE), EnterpriseError)).code,
      "TEMPORARILY_UNAVAILABLE",
    );
    const asked = legs.asked.length;
    for (const use of [USE, SECOND]) {
      const error = await assertRejects(() => tokens.token(use), EnterpriseError);
      assertEquals([error.code, error.reason, error.leg], ["TEMPORARILY_UNAVAILABLE", "retry-after", leg]);
      assert(error.message.endsWith("until 1970-01-01T00:17:40Z"), error.message);
    }
    assertEquals([legs.asked.length, tokens.status("notes").kind], [asked, "unavailable"]);
    clock.time += 59;
    await assertRejects(() => tokens.token(USE), EnterpriseError);
    assertEquals(legs.asked.length, asked);
    clock.time += 1;
    await tokens.token(USE);
    assertEquals(tokens.status("notes").kind, "ready");
  });
}

test("what was got before stays usable, and is not renewed meanwhile", async () => {
  const { tokens, legs, clock } = await startFakeHost({ fetch: () => Promise.resolve(new Response("ok")) });
  await tokens.token(USE);
  clock.time += 260;
  legs.failures.exchange.push(later("token-exchange", 20));
  assertEquals(await tokens.token(USE), "bearer-1");
  await tokens.idle();
  const asked = legs.asked.length;
  assertEquals([await tokens.token(USE), await tokens.token(SECOND)], ["bearer-1", "bearer-1"]);
  await tokens.idle();
  assertEquals(legs.asked.length, asked);
  await tokens.authenticatedFetch(USE)(SERVER_URL); // the server takes the bearer: no outage for all that is known
  await tokens.token(USE);
  await tokens.idle();
  assertEquals(tokens.status("notes").kind, "ready", "a renewal was tried");
  clock.time += 21;
  await tokens.token(USE);
  await tokens.idle();
  assertEquals(await tokens.token(USE), "bearer-2");
});

test("a plain refresh counts, and is not made during a pause either", async () => {
  const { tokens, legs, clock } = await startFakeHost({ members: { subject_token: "id_token" } });
  clock.time = 9_000; // the ID token has expired
  legs.failures.refresh.push(later("token-exchange", 10));
  await assertRejects(() => tokens.token(USE), EnterpriseError);
  const asked = legs.asked.length;
  const { reason } = await assertRejects(() => tokens.token(USE), EnterpriseError);
  assertEquals([reason, legs.asked.length], ["retry-after", asked]);
  clock.time += 10;
  await tokens.token(USE);
  assertEquals(legs.asked.filter((one) => one === "refresh refresh-0").length, 2);
});

test("a pause has an end within five minutes, also when the clock goes back", async () => {
  const clock = { time: 1_000, now: () => clock.time, sleep: () => Promise.resolve(true) };
  const pauses = new RetryAfter(clock);
  const legs = createFakeLegs();
  const refresh = () =>
    pauses.over(legs).refresh(PROVIDER, {
      refreshToken: "r",
      idToken: null,
      account: { subject: "", user: "u", workspace: null },
      onRotated: () => Promise.resolve(),
      signal: new AbortController().signal,
    });
  const isPaused = (): boolean => pauses.refusal({ provider: PROVIDER }) !== null;
  for (const [seconds, status] of [[null, 429], [0, 503], [60, 400]] as const) {
    legs.failures.refresh.push(later("token-exchange", seconds, status));
    await refresh();
    assertEquals(isPaused(), false, `${seconds} ${status}`);
  }
  legs.failures.refresh.push(later("token-exchange", 2_000_000_000));
  await refresh();
  clock.time += 299;
  assertEquals([isPaused(), (await refresh()).succeeded, legs.asked.length], [true, false, 4]);
  clock.time += 1;
  assertEquals([isPaused(), (await refresh()).succeeded], [false, true]);
  legs.failures.refresh.push(later("token-exchange", 300));
  await refresh();
  clock.time -= 1;
  assertEquals(isPaused(), false);
});

test("no ID-JAG is asked for that could not be redeemed now", async () => {
  const pauses = new RetryAfter({ now: () => 0, sleep: () => Promise.resolve(true) });
  const legs = createFakeLegs();
  const { facts } = legs;
  const signal = new AbortController().signal;
  const over = pauses.over(legs);
  legs.failures.redeem.push(later("redemption", 60));
  const registration = { server: SERVER, provider: PROVIDER };
  await over.redeem(registration, { facts, assertion: "j", scopes: null, signal });
  const onRotated = (): Promise<void> => Promise.resolve();
  const subject = { subjectToken: "id_token", token: "i", scopes: null, onRotated, signal } as const;
  const outcome = await over.exchange(registration, { facts, ...subject });
  assertEquals([outcome.succeeded, legs.asked], [false, ["redeem"]]);
  const elsewhere = { ...facts, authorizationServer: metadataOf("https://other.example") };
  assertEquals((await over.exchange(registration, { facts: elsewhere, ...subject })).succeeded, true);
});

test("one identity provider's pause is not another's", async () => {
  const pauses = new RetryAfter({ now: () => 0, sleep: () => Promise.resolve(true) });
  const legs = createFakeLegs();
  legs.failures.refresh.push(later("token-exchange", 60));
  const signal = new AbortController().signal;
  const account = { subject: "", user: "u", workspace: null };
  const options = { refreshToken: "r", idToken: null, account, onRotated: () => Promise.resolve(), signal };
  await pauses.over(legs).refresh(PROVIDER, options);
  assert(pauses.refusal({ provider: PROVIDER }) !== null);
  assertEquals(pauses.refusal({ provider: { ...PROVIDER, issuer: "https://other.example" } }), null);
});
