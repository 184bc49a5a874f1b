/**
 * Leg 2: what is sent, what is accepted, what a refusal means.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import { redeemIdJag } from "../../../../adapters/http/exchange/redeem.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testClock, testHttp, textAnswer } from "../answers.ts";
import { AS, AS_CLIENT, MCP, metadataOf, readSecret } from "../parties.ts";

const ANSWER = { access_token: "at-s3cret", token_type: "Bearer", expires_in: 600 };

interface Ran {
  readonly sent: Readonly<Record<string, string>>;
  readonly count: number;
  readonly result: string;
}

async function run(response: HttpResponse | Error, scopes: readonly string[] | null = ["a"]): Promise<Ran> {
  const http = testHttp(() => response instanceof Error ? Promise.reject(response) : response);
  const outcome = await redeemIdJag({
    http,
    clock: testClock(1000),
    metadata: metadataOf(AS),
    client: AS_CLIENT,
    readSecret,
    signal: noSignal(),
    assertion: "jag-s3cret",
    resource: MCP,
    scopes,
  });
  const shown = inspect(outcome, { depth: 9, showHidden: true }) + JSON.stringify(outcome);
  assert(!shown.includes("s3cret"));
  const sent = Object.fromEntries(new URLSearchParams(http.requests[0]?.body));
  const count = http.requests.length;
  if (outcome.succeeded) {
    const { token, scopes: granted, expiresIn, receivedAt, notes } = outcome.value;
    assertEquals(token(), "at-s3cret");
    const reasons = notes.map(({ reason }) => reason).join(",");
    return { sent, count, result: `${granted?.join(" ")} ${expiresIn} ${receivedAt} ${reasons}` };
  }
  const { meaning, error } = outcome.failure;
  assertEquals(error.leg, "redemption");
  return { sent, count, result: `${error.code} ${meaning} ${error.reason}` };
}

test("the ID-JAG, the resource and the scopes are sent once, and the token comes behind a function", async () => {
  const { sent, count, result } = await run(jsonAnswer(ANSWER));
  assertEquals(result, "a 600 1000 ");
  assertEquals(count, 1);
  assertEquals(sent, {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: "jag-s3cret",
    resource: MCP,
    scope: "a",
    client_id: "as-client",
  });
  assertEquals((await run(jsonAnswer(ANSWER), null)).sent["scope"], undefined);
});

test("a refresh token is dropped, a bound or too wide token refused", async () => {
  assertEquals(
    (await run(jsonAnswer({ ...ANSWER, refresh_token: "r" }))).result,
    "a 600 1000 refresh-token-dropped",
  );
  assertEquals(
    (await run(jsonAnswer({ ...ANSWER, token_type: "DPoP" }))).result,
    "REDEMPTION_REFUSED binding key-bound",
  );
  assertEquals(
    (await run(jsonAnswer({ ...ANSWER, scope: "a b" }))).result,
    "SCOPE_REFUSED scope scope-exceeded",
  );
  assertEquals((await run(jsonAnswer({}))).result, "REDEMPTION_REFUSED misconfigured token-missing");
});

test("a refusal, an outage and a page are told apart, and nothing is sent twice", async () => {
  const refused = async (error: string): Promise<string> => (await run(jsonAnswer({ error }, 400))).result;
  assertEquals(await refused("invalid_grant"), "ASSERTION_REFUSED assertion invalid_grant");
  assertEquals(await refused("unauthorized_client"), "CLIENT_REFUSED client unauthorized_client");
  assertEquals(await refused("invalid_request"), "REDEMPTION_REFUSED misconfigured invalid_request");
  const down = await run(jsonAnswer({}, 500));
  assertEquals([down.result, down.count], ["TEMPORARILY_UNAVAILABLE unavailable status", 1]);
  const network = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "network" });
  const cut = await run(network);
  assertEquals([cut.result, cut.count], ["TEMPORARILY_UNAVAILABLE unavailable network", 1]);
  const page = await run(textAnswer("<p>", 200, { "content-type": "text/html" }));
  assertEquals(page.result, "REDEMPTION_REFUSED misconfigured not-json");
});
