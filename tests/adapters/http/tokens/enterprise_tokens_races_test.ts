import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { ProgramGrantSource } from "../../../../adapters/http/grants/program_grant_source.ts";
import {
  configurationOf,
  failureOf,
  keyOf,
  OWNER,
  recordOf,
  SERVER_URL,
  startFakeHost,
  stored,
  USE,
} from "../fake_legs.ts";

const codeOf = (error: unknown): string => error instanceof EnterpriseError ? error.code : String(error);

const ELSEWHERE = "https://new.example/mcp";

/** A server that holds its first answer until it is let go, and remembers where bearers went. */
function holdingServer(
  first: Response,
): { fetch: typeof fetch; sent: string[]; letGo: () => void; asked: Promise<void> } {
  const sent: string[] = [];
  let letGo: () => void = () => {};
  let ask: () => void = () => {};
  const gone = new Promise<void>((resolve) => letGo = resolve);
  const asked = new Promise<void>((resolve) => ask = resolve);
  const answer = async (url: string | URL | Request): Promise<Response> => {
    sent.push(String(url));
    if (sent.length > 1) return new Response("ok");
    ask();
    await gone;
    return first;
  };
  return { fetch: answer as typeof fetch, sent, letGo, asked };
}

for (
  const [name, first] of [
    ["a refusal", () => new Response(null, { status: 401 })],
    ["a call for more scopes", () =>
      new Response(null, {
        status: 403,
        headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="admin"' },
      })],
  ] as const
) {
  test(`after ${name}, the bearer of a new registration does not go to the old URL`, async () => {
    const server = holdingServer(first());
    const { tokens } = await startFakeHost({ fetch: server.fetch });
    await tokens.openThread(USE);
    const call = tokens.authenticatedFetch(USE)(SERVER_URL, { method: "POST", body: "{}" });
    await server.asked;
    await tokens.loadConfiguration(configurationOf({ url: ELSEWHERE }));
    await tokens.reauthorizeThread(USE);
    server.letGo();
    assertEquals((await assertRejects(() => call, EnterpriseError)).code, "SUPERSEDED");
    assertEquals(server.sent, [SERVER_URL]);
  });
}

test("the account that the host named last counts, however long the names take", async () => {
  const { tokens } = await startFakeHost({ ownerFrom: "host" });
  await Promise.all([tokens.setAccount(OWNER), tokens.setAccount(null)]);
  await tokens.openThread(USE);
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "SIGN_IN_REQUIRED");
});

test("a configuration that was rejected meanwhile is not taken", async () => {
  const { tokens } = await startFakeHost({});
  const load = tokens.loadConfiguration(configurationOf());
  tokens.rejectConfiguration({ field: "field", layer: null });
  await load;
  await tokens.openThread(USE);
  assertEquals((await assertRejects(() => tokens.token(USE), EnterpriseError)).code, "CONFIGURATION_REFUSED");
});

/** Something that is waited for, and let go. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => open = resolve);
  return { open: () => open(), opened };
}

test("a sign-out while a rotated token is being stored stays a sign-out", async () => {
  const { tokens, legs, source } = await startFakeHost({ members: { subject_token: "refresh_token" } });
  await tokens.openThread(USE);
  const [reached, answered] = [gate(), gate()];
  const { exchange } = legs;
  legs.exchange = async (registration, options) => {
    reached.open();
    await answered.opened;
    await options.onRotated("rotated");
    return await exchange(registration, options);
  };
  const call = tokens.token(USE).then(() => "a bearer", codeOf);
  await reached.opened;
  const out = tokens.signOut("default");
  answered.open();
  await out;
  assertEquals(await call, "SIGN_IN_REQUIRED");
  await tokens.idle();
  assertEquals([tokens.status("notes").kind, await stored(source)], ["signed-out", null]);
});

test("a sign-out while the program's identity is being read stays a sign-out", async () => {
  let count = 0;
  let reading = gate();
  let answer = Promise.resolve();
  const source = new ProgramGrantSource({
    identity: {
      tokens: async () => {
        reading.open();
        await answer;
        return { refreshToken: "r0", idToken: "i0", idTokenExpiresAt: 9_000 };
      },
      rotated: () => Promise.resolve(),
    },
    key: await keyOf(),
    subject: { issuer: "https://idp.example", clientId: "codex", ...OWNER, subject: "alice" },
    newGeneration: () => String(count += 1).padStart(32, "0"),
  });
  const { tokens } = await startFakeHost({ ownerFrom: "host", grants: () => source });
  await tokens.setAccount(OWNER);
  for (const thread of ["one", "two"]) {
    const use = { ...USE, thread };
    await tokens.openThread(use);
    reading = gate();
    const held = gate();
    answer = held.opened;
    const call = tokens.token(use).then(() => "a bearer", codeOf);
    await reading.opened;
    const out = tokens.signOut("default");
    held.open();
    await out;
    assertEquals(await call, "SIGN_IN_REQUIRED");
    const later = { ...USE, thread: `after ${thread}` };
    await tokens.openThread(later);
    assertEquals(await tokens.token(later).then(() => "a bearer", codeOf), "SIGN_IN_REQUIRED");
    assertEquals(tokens.status("notes").kind, "signed-out");
    await tokens.setAccount(null);
    await tokens.setAccount(OWNER);
    await tokens.openThread({ ...USE, thread: `again ${thread}` });
    assertEquals(tokens.status("notes").kind, "signed-out", "a change of the account took it back");
    source.replaced(); // the program signed the account in anew
  }
});

test("a sign-out by another process during an exchange is seen before the bearer is sent", async () => {
  const sent: string[] = [];
  const fetch = ((_url, init) => {
    sent.push(new Headers(init?.headers).get("authorization") ?? "");
    return Promise.resolve(new Response("ok"));
  }) as typeof globalThis.fetch;
  const { tokens, legs, source } = await startFakeHost({ fetch });
  await tokens.openThread(USE);
  const redeemed = gate();
  legs.gate = redeemed.opened;
  const call = tokens.authenticatedFetch(USE)(SERVER_URL, { method: "POST", body: "{}" }).then(
    ({ status }) => status,
    codeOf,
  );
  while (!legs.asked.includes("redeem")) await new Promise((resolve) => setTimeout(resolve, 1));
  const ending = { key: null, generation: "0a".repeat(16) };
  await source.locked((grants) => grants.endSignIn(ending), AbortSignal.timeout(5_000));
  redeemed.open();
  assertEquals([await call, sent], ["SIGN_IN_REQUIRED", []]);
});

test("a sign-in that began before another host's sign-out is not stored", async () => {
  const one = await startFakeHost();
  await one.tokens.token(USE);
  const two = await startFakeHost({ grants: () => one.source });
  const typed = gate();
  const signIn = one.tokens.signIn("default", async () => {
    await typed.opened;
    return recordOf({ generation: "02".repeat(16) });
  }).then(() => "stored", codeOf);
  await two.tokens.signOut("default");
  typed.open();
  assertEquals([await signIn, await stored(one.source)], ["SUPERSEDED", null]);
  assertEquals(one.tokens.status("notes").kind, "signed-out");
});

test("a sign-out does not wait for a plain refresh that hangs", async () => {
  const { tokens, legs, source } = await startFakeHost({
    deadline: 60,
    members: { subject_token: "id_token" },
  });
  await tokens.openThread(USE);
  const reached = gate();
  legs.failures.exchange.push(failureOf("token-exchange", "invalid_grant"));
  legs.refresh = (_provider, { signal }) =>
    new Promise((_, reject) => {
      reached.open();
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const call = tokens.token(USE).then(() => "a bearer", codeOf);
  await reached.opened;
  const began = performance.now();
  await tokens.signOut("default");
  assert(performance.now() - began < 30_000, "it waited for the deadline of the refresh");
  assertEquals([await call, (await source.marker())?.current], ["SIGN_IN_REQUIRED", null]);
});
