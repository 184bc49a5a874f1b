/**
 * Leg 1: what is sent, what is accepted, what is handed over first, what a refusal means.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import { type ExchangeContext, requestIdJag } from "../../../../adapters/http/exchange/exchange.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testClock, testHttp, textAnswer } from "../answers.ts";
import { AS, idJag, IDP, IDP_CLIENT, MCP, metadataOf, readSecret, SECRET } from "../parties.ts";

const NOW = 1_800_000_000;
const JAG = idJag(NOW);
const ANSWER = {
  issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
  access_token: JAG,
  token_type: "N_A",
  expires_in: 300,
};

interface Ran {
  readonly sent: Readonly<Record<string, string>>;
  readonly steps: readonly string[];
  readonly result: string;
  readonly message: string;
}

async function run(response: HttpResponse | Error, change: Partial<ExchangeContext> = {}): Promise<Ran> {
  const steps: string[] = [];
  const http = testHttp(() => response instanceof Error ? Promise.reject(response) : response);
  const outcome = await requestIdJag({
    http,
    clock: testClock(NOW),
    metadata: metadataOf(IDP),
    client: IDP_CLIENT,
    readSecret,
    signal: noSignal(),
    subjectToken: "refresh_token",
    token: "refresh-s3cret",
    audience: AS,
    resource: MCP,
    redeemerId: "as-client",
    scopes: ["a"],
    allowMissingResource: false,
    onRotated: (token) => Promise.resolve(void steps.push(token)),
    ...change,
  });
  const shown = inspect(outcome, { depth: 9, showHidden: true }) + JSON.stringify(outcome);
  for (const secret of [SECRET, "refresh-s3cret", JAG]) assert(!shown.includes(secret));
  const sent = Object.fromEntries(new URLSearchParams(http.requests[0]?.body));
  if (outcome.succeeded) {
    const { token, scopes, opaque, notes } = outcome.value;
    assertEquals(token(), JAG);
    const reasons = notes.map(({ reason }) => reason).join(",");
    return { sent, steps, result: `${scopes?.join(" ")} ${opaque} ${reasons}`, message: "" };
  }
  const { meaning, error, retryAfter } = outcome.failure;
  assertEquals(error.leg, "token-exchange");
  const result = `${error.code} ${meaning} ${error.reason}${retryAfter === null ? "" : ` ${retryAfter}`}`;
  return { sent, steps, result, message: error.message };
}

test("the parameters of the exchange are sent, and the ID-JAG comes behind a function", async () => {
  const { sent, steps, result } = await run(jsonAnswer(ANSWER));
  assertEquals(result, "a false ");
  assertEquals(steps, []);
  assertEquals(sent, {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
    audience: AS,
    resource: MCP,
    scope: "a",
    subject_token: "refresh-s3cret",
    subject_token_type: "urn:ietf:params:oauth:token-type:refresh_token",
    client_id: "idp-client",
    client_secret: SECRET,
  });
  assertEquals((await run(jsonAnswer(ANSWER), { scopes: null })).sent["scope"], undefined);
});

test("a rotated refresh token is handed over whatever else the answer says", async () => {
  const rotated = { ...ANSWER, refresh_token: "next" };
  assertEquals((await run(jsonAnswer(rotated))).steps, ["next"]);
  assertEquals((await run(jsonAnswer({ refresh_token: "next" }))).steps, ["next"]);
  assertEquals(
    (await run(textAnswer(JSON.stringify(rotated), 200, { "content-type": "text/plain" }))).steps,
    ["next"],
  );
  assertEquals((await run(jsonAnswer({ ...ANSWER, refresh_token: "refresh-s3cret" }))).steps, []);
  assertEquals((await run(jsonAnswer({ error: "invalid_grant", refresh_token: "next" }, 400))).steps, []);
  const asked = await run(jsonAnswer(rotated), { subjectToken: "id_token" });
  assertEquals([asked.steps, asked.result], [[], "a false refresh-token-rotated"]);
});

test("when the rotated token cannot be stored, the exchange ends with that", async () => {
  const locked = new EnterpriseError("KEYRING_LOCKED", "Cannot write to the keyring");
  const onRotated = (): Promise<void> => Promise.reject(locked);
  const error = await assertRejects(() =>
    run(jsonAnswer({ ...ANSWER, refresh_token: "next" }), { onRotated })
  );
  assertEquals(error, locked);
});

test("a refusal has its meaning, and names what was asked for", async () => {
  const refused = (error: string, status = 400): Promise<Ran> => run(jsonAnswer({ error }, status));
  assertEquals((await refused("invalid_grant")).result, "ASSERTION_REFUSED grant-in-doubt invalid_grant");
  const denied = await refused("invalid_target");
  assertEquals(denied.result, "ADMINISTRATOR_REFUSED administrator invalid_target");
  assertStringIncludes(denied.message, `audience "${AS}", resource "${MCP}"`);
  assertEquals((await refused("invalid_client", 401)).result, "CLIENT_REFUSED client invalid_client");
  const unnamed = await run(jsonAnswer({ error: "invalid_scope" }, 400), { scopes: null });
  assertEquals(unnamed.result, "SCOPE_REFUSED scope invalid_scope");
  assertStringIncludes(unnamed.message, "Configure scopes");
  const strange = await refused("s3cret text");
  assertEquals(strange.result, "EXCHANGE_REFUSED misconfigured unrecognised");
  assert(!strange.message.includes("s3cret"));
});

test("an outage, a redirect and a page are told apart", async () => {
  const later = await run(jsonAnswer({}, 503, { "retry-after": "7" }));
  assertEquals(later.result, "TEMPORARILY_UNAVAILABLE unavailable status 7");
  const network = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "network" });
  assertEquals((await run(network)).result, "TEMPORARILY_UNAVAILABLE unavailable network");
  const redirect = await run(textAnswer("", 307, { location: "/login" }));
  assertEquals(redirect.result, "EXCHANGE_REFUSED misconfigured redirected");
  assertStringIncludes(redirect.message, "a redirect");
  const page = await run(textAnswer("<p>", 200, { "content-type": "text/html" }));
  assertEquals(page.result, "EXCHANGE_REFUSED misconfigured not-json");
});

test("an answer or an ID-JAG that fails a check is refused by its reason, with what it means", async () => {
  const result = async (claims: Readonly<Record<string, unknown>>): Promise<string> =>
    (await run(jsonAnswer({ ...ANSWER, access_token: idJag(NOW, claims) }))).result;
  assertEquals(await result({ aud: "https://other.example" }), "EXCHANGE_REFUSED misconfigured audience");
  assertEquals(await result({ client_id: "idp-client" }), "CLIENT_REFUSED client client");
  assertEquals(await result({ scope: "a b" }), "SCOPE_REFUSED scope scope-exceeded");
  assertEquals(await result({ cnf: {} }), "EXCHANGE_REFUSED binding key-bound");
  const bearer = await run(jsonAnswer({ ...ANSWER, issued_token_type: "x" }));
  assertEquals(bearer.result, "EXCHANGE_REFUSED misconfigured issued-token-type");
});

test("a client that cannot authenticate is an outcome, a missing secret an error", async () => {
  const metadata = { ...metadataOf(IDP), clientMethods: ["none"] };
  assertEquals(
    (await run(jsonAnswer(ANSWER), { metadata })).result,
    "CLIENT_REFUSED client method-unsupported",
  );
  const missing = { readSecret: () => Promise.resolve("") };
  const error = await assertRejects(() => run(jsonAnswer(ANSWER), missing), EnterpriseError);
  assertEquals(error.code, "CONFIGURATION_REFUSED");
});
