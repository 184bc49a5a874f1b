/**
 * The sign-in against a real OIDC provider: every way, every profile, and everything that can be wrong with what comes
 * back.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { parse } from "smol-toml";
import { createSendingRuntime } from "../../../adapters/deno/sending.ts";
import { createClock } from "../../../adapters/http/transport/clock.ts";
import { Discovery } from "../../../adapters/http/discovery/discovery.ts";
import { createHttp } from "../../../adapters/http/transport/http.ts";
import { beginSignIn } from "../../../adapters/http/sign_in/authorization_code.ts";
import { beginDeviceSignIn } from "../../../adapters/http/sign_in/device.ts";
import type { SignedIn } from "../../../adapters/http/sign_in/id_token.ts";
import { importIdToken, importRefreshToken } from "../../../adapters/http/sign_in/import_token.ts";
import type { SignInContext } from "../../../adapters/http/sign_in/session.ts";
import { readConfiguration } from "../../../core/enterprise/config/configuration.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { inlineSecret } from "../../../core/enterprise/config/secret.ts";
import {
  type EnterpriseBed,
  type Fault,
  PROFILE_NAMES,
  select,
  startEnterpriseBed,
  SWITCHES,
} from "../../fixtures/enterprise/mod.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

async function contextOf(bed: EnterpriseBed): Promise<SignInContext> {
  const values = parse(bed.configuration());
  const layer = { kind: "user", source: "config.toml", values, codexFile: true } as const;
  const provider = readConfiguration([layer]).providers[0];
  assert(provider !== undefined);
  const http = createHttp({ runtime: createSendingRuntime() });
  const clock = createClock();
  const { signal } = new AbortController();
  const metadata = (await new Discovery({ http, clock }).provider(provider, { signal })).value;
  const readSecret = (reference: Parameters<SignInContext["readSecret"]>[0]): Promise<string> =>
    Promise.resolve(inlineSecret([layer], reference) ?? "");
  return { provider, metadata, http, clock, readSecret, signal };
}

async function byBrowser(bed: EnterpriseBed, context: SignInContext): Promise<SignedIn> {
  const pending = await beginSignIn(context, REDIRECT);
  return await pending.finish(await bed.browse(pending.url));
}

for (const profile of PROFILE_NAMES) {
  test(`${profile}: in a browser, on a device, with an ID token, with a refresh token`, async () => {
    await using bed = await startEnterpriseBed({ profile });
    const context = await contextOf(bed);
    const signedIn = await byBrowser(bed, context);
    assertEquals([signedIn.owner, signedIn.name], [
      { user: "user-alice", workspace: "acme" },
      "alice@acme.example",
    ]);
    assertEquals(signedIn.identity.issuer, bed.idp.issuer);
    assert(signedIn.refreshToken !== null);
    const byDevice = await beginDeviceSignIn({
      ...context,
      clock: { ...context.clock, sleep: () => Promise.resolve(true) },
    });
    await bed.approveDevice(byDevice.userCode, "bob");
    assertEquals((await byDevice.finish()).owner.user, "user-bob");
    const imported = await importIdToken(context, `${signedIn.idToken}\n`);
    assertEquals([imported.owner, imported.refreshToken], [signedIn.owner, null]);
    const refreshed = await importRefreshToken(context, signedIn.refreshToken);
    assertEquals(refreshed.owner, signedIn.owner);
    assert(refreshed.refreshToken !== null && refreshed.refreshToken !== signedIn.refreshToken);
    assertEquals(select(bed.wire.entries(), { site: "elsewhere" }), []);
  });
}

/** What each fault of a sign-in becomes; the others in the list must not stop it. */
const REFUSALS: Readonly<Record<string, readonly [code: string, reason?: string]>> = {
  "callback-iss-missing": ["ASSERTION_REFUSED", "iss"],
  "callback-iss-other": ["ASSERTION_REFUSED", "iss"],
  "callback-iss-slash": ["ASSERTION_REFUSED", "iss"],
  "callback-state-other": ["ASSERTION_REFUSED", "state"],
  "callback-state-missing": ["ASSERTION_REFUSED", "state"],
  "callback-code-missing": ["ASSERTION_REFUSED", "code"],
  "callback-error": ["TEMPORARILY_UNAVAILABLE"],
  "callback-error-and-code": ["ADMINISTRATOR_REFUSED", "access_denied"],
  "callback-denied": ["ADMINISTRATOR_REFUSED", "access_denied"],
  "id-token-alg-none": ["IDENTITY_REFUSED"],
  "id-token-signature-empty": ["IDENTITY_REFUSED", "signature"],
  "id-token-signature-foreign": ["IDENTITY_REFUSED", "signature"],
  "id-token-kid-unknown": ["IDENTITY_REFUSED", "signature"],
  "id-token-iss-other": ["IDENTITY_REFUSED"],
  "id-token-iss-slash": ["IDENTITY_REFUSED"],
  "id-token-iss-missing": ["IDENTITY_REFUSED"],
  "id-token-aud-other": ["IDENTITY_REFUSED", "aud"],
  "id-token-aud-missing": ["IDENTITY_REFUSED"],
  "id-token-sub-missing": ["IDENTITY_REFUSED"],
  "id-token-expired": ["IDENTITY_REFUSED", "exp"],
  "id-token-exp-missing": ["IDENTITY_REFUSED"],
  "id-token-aud-two": ["IDENTITY_REFUSED"],
  "id-token-azp-other": ["IDENTITY_REFUSED", "azp"],
  "id-token-nonce-other": ["IDENTITY_REFUSED", "nonce"],
  "id-token-nonce-missing": ["IDENTITY_REFUSED"],
  "id-token-iat-ahead-600": ["IDENTITY_REFUSED", "issued-ahead"],
  "code-answer-id-token-missing": ["IDENTITY_REFUSED"],
  "code-answer-id-token-not-jwt": ["IDENTITY_REFUSED"],
  "code-answer-token-type-missing": ["ASSERTION_REFUSED"],
  "code-answer-token-type-dpop": ["ASSERTION_REFUSED", "dpop"],
  "code-answer-expires-in-text": ["ASSERTION_REFUSED"],
};
const HARMLESS: readonly string[] = [
  "id-token-sub-other",
  "id-token-workspace-missing",
  "code-answer-refresh-token-missing",
  "code-answer-refresh-token-large",
];

test("every fault of a sign-in is refused by name, and no error shows a secret", async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  const context = await contextOf(bed);
  const names = Object.keys(SWITCHES).filter((name) => /^(callback|id-token|code-answer)-/.test(name));
  assertEquals(names.toSorted(), [...Object.keys(REFUSALS), ...HARMLESS].toSorted());
  for (const name of names) {
    bed.reset();
    bed.turn(name);
    const expected = REFUSALS[name];
    if (expected === undefined) {
      await byBrowser(bed, context);
      continue;
    }
    const error = await assertRejects(() => byBrowser(bed, context), EnterpriseError, undefined, name);
    assertEquals(
      [error.code, expected[1] === undefined ? undefined : error.reason],
      [...expected, undefined].slice(0, 2),
      `${name}: ${error.message} ${error.reason}`,
    );
    const told = [error.message, error.stack, Deno.inspect(error, { depth: 10 }), JSON.stringify(error)].join(
      "\n",
    );
    for (const secret of bed.secretsInPlay()) {
      assert(!told.includes(secret), `${name} shows ${secret}: ${told}`);
    }
  }
});

test("an answer that is none is an outage or a wrong address, never a sign-in", async () => {
  await using bed = await startEnterpriseBed({ profile: "ping-refresh" });
  const context = await contextOf(bed);
  const { refreshToken } = await byBrowser(bed, context);
  assert(refreshToken !== null);
  const faults: readonly (readonly [Fault, readonly string[]])[] = [
    [{ kind: "status", status: 503 }, ["TEMPORARILY_UNAVAILABLE"]],
    [{ kind: "status", status: 429, retryAfter: "60" }, ["TEMPORARILY_UNAVAILABLE"]],
    [{ kind: "reset" }, ["TEMPORARILY_UNAVAILABLE"]],
    [{ kind: "redirect", status: 307, to: "elsewhere" }, ["DISCOVERY_REFUSED"]],
    [{ kind: "redirect", status: 302, to: "same" }, ["DISCOVERY_REFUSED"]],
    [{ kind: "html" }, ["ASSERTION_REFUSED"]],
    [{ kind: "endless" }, ["ASSERTION_REFUSED"]],
    [{ kind: "raw", contentType: "application/json", body: "{" }, ["ASSERTION_REFUSED"]],
    [{ kind: "oauth-error", error: "invalid_client", status: 401 }, ["CLIENT_REFUSED"]],
    [{ kind: "oauth-error", error: "unauthorized_client" }, ["CLIENT_REFUSED"]],
    [{ kind: "oauth-error", error: "invalid_grant" }, ["SIGN_IN_REQUIRED"]],
    [{ kind: "oauth-error", error: "invalid_scope" }, ["SCOPE_REFUSED"]],
    [{ kind: "oauth-error", error: "\u001b[31mfoo" }, ["ASSERTION_REFUSED"]],
  ];
  const ways = {
    "idp.code": () => byBrowser(bed, context),
    "idp.refresh": () => importRefreshToken(context, refreshToken),
    "idp.device": () => beginDeviceSignIn(context),
  } as const;
  for (const [endpoint, way] of Object.entries(ways)) {
    for (const [fault, [code]] of faults) {
      bed.reset();
      bed.faults.set(endpoint as keyof typeof ways, fault);
      const error = await assertRejects(way, EnterpriseError, undefined, `${endpoint} ${fault.kind}`);
      assertEquals(error.code, code, `${endpoint} ${JSON.stringify(fault)}: ${error.message}`);
      assert(!error.message.includes(bed.canary) && !error.message.includes("\u001b"), error.message);
      assertEquals(select(bed.wire.entries(), { site: "elsewhere" }), []);
    }
  }
  for (const fault of faults.slice(0, 3).map(([first]) => first)) {
    bed.reset();
    bed.faults.set("idp.jwks", fault);
    // another connection: the library keeps the keys with the metadata that they belong to
    const error = await assertRejects(
      async () => await byBrowser(bed, await contextOf(bed)),
      EnterpriseError,
    );
    assertEquals(error.code, "TEMPORARILY_UNAVAILABLE", `${fault.kind}: ${error.message}`);
  }
});

test("a person who does not come, and one who says no, at another device", async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  const context = await contextOf(bed);
  const ended = new AbortController();
  const device = await beginDeviceSignIn({ ...context, signal: ended.signal });
  ended.abort();
  assertEquals((await assertRejects(() => device.finish(), EnterpriseError)).code, "SIGN_IN_REQUIRED");
  const asked: number[] = [];
  const sleep = (seconds: number): Promise<boolean> => Promise.resolve(asked.push(seconds) < 4);
  bed.faults.set("idp.device-token", { kind: "oauth-error", error: "slow_down" }, { times: 1 });
  const slow = await beginDeviceSignIn({ ...context, clock: { ...context.clock, sleep } });
  assertEquals((await assertRejects(() => slow.finish(), EnterpriseError)).code, "SIGN_IN_REQUIRED");
  assertEquals(asked, [5, 10, 10, 10]);
  bed.faults.set("idp.device-token", { kind: "oauth-error", error: "access_denied" });
  const denied = await beginDeviceSignIn({
    ...context,
    clock: { ...context.clock, sleep: () => Promise.resolve(true) },
  });
  assertEquals((await assertRejects(() => denied.finish(), EnterpriseError)).code, "ADMINISTRATOR_REFUSED");
});
