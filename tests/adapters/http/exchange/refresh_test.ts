/**
 * A plain refresh: what it brings, what is handed over first, and what it says about the grant.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { inspect } from "node:util";
import { test } from "node:test";
import {
  probeOutcome,
  type RefreshContext,
  refreshGrant,
} from "../../../../adapters/http/exchange/refresh.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { HttpResponse } from "../../../../core/ports/http.ts";
import { jsonAnswer, noSignal, testClock, testHttp, textAnswer } from "../answers.ts";
import { IDP, IDP_CLIENT, metadataOf, readSecret, SECRET } from "../parties.ts";

interface Ran {
  readonly sent: Readonly<Record<string, string>>;
  readonly steps: readonly string[];
  readonly probe: string;
  readonly result: string;
}

async function run(response: HttpResponse | Error, change: Partial<RefreshContext> = {}): Promise<Ran> {
  const steps: string[] = [];
  const http = testHttp(() => response instanceof Error ? Promise.reject(response) : response);
  const outcome = await refreshGrant({
    http,
    clock: testClock(1000),
    metadata: metadataOf(IDP),
    client: IDP_CLIENT,
    readSecret,
    signal: noSignal(),
    refreshToken: "old-s3cret",
    onRotated: (token) => Promise.resolve(void steps.push(token)),
    ...change,
  });
  assert(!(inspect(outcome, { depth: 9, showHidden: true }) + JSON.stringify(outcome)).includes("s3cret"));
  const sent = Object.fromEntries(new URLSearchParams(http.requests[0]?.body));
  const result = outcome.succeeded
    ? `${outcome.value.idToken?.() ?? "none"} ${outcome.value.rotated} ${outcome.value.receivedAt}`
    : `${outcome.failure.error.code} ${outcome.failure.error.reason}`;
  return { sent, steps, probe: probeOutcome(outcome), result };
}

test("the refresh token is sent, and what comes back is handed on", async () => {
  const answer = { access_token: "x", id_token: "id-s3cret", refresh_token: "new-s3cret" };
  const { sent, steps, result, probe } = await run(jsonAnswer(answer));
  assertEquals([result, steps, probe], ["id-s3cret true 1000", ["new-s3cret"], "standing"]);
  assertEquals(sent, {
    grant_type: "refresh_token",
    refresh_token: "old-s3cret",
    client_id: "idp-client",
    client_secret: SECRET,
  });
  assertEquals((await run(jsonAnswer({ access_token: "x" }))).result, "none false 1000");
  assertEquals((await run(jsonAnswer({ refresh_token: "old-s3cret" }))).steps, []);
});

test("a rotated token is handed over before the answer is looked at", async () => {
  const text = JSON.stringify({ refresh_token: "new", id_token: 7 });
  const odd = await run(textAnswer(text, 200, { "content-type": "application/json" }));
  assertEquals([odd.steps, odd.result, odd.probe], [["new"], "EXCHANGE_REFUSED malformed", "standing"]);
  assertEquals((await run(textAnswer(text, 200, { "content-type": "text/plain" }))).steps, ["new"]);
  assertEquals((await run(jsonAnswer({ error: "invalid_grant", refresh_token: "new" }, 400))).steps, []);
  const locked = new EnterpriseError("KEYRING_LOCKED", "Cannot write to the keyring");
  const onRotated = (): Promise<void> => Promise.reject(locked);
  assertEquals(await assertRejects(() => run(jsonAnswer({ refresh_token: "new" }), { onRotated })), locked);
});

test("only invalid_grant ends the grant, and an outage says nothing", async () => {
  const probe = async (error: string, status = 400): Promise<string> =>
    (await run(jsonAnswer({ error }, status))).probe;
  assertEquals(await probe("invalid_grant"), "refused");
  assertEquals(await probe("invalid_grant", 503), "unavailable");
  assertEquals(await probe("invalid_request"), "standing");
  assertEquals(await probe("invalid_client", 401), "standing");
  assertEquals(await probe("temporarily_unavailable"), "unavailable");
  assertEquals(await probe("x", 429), "unavailable");
  const network = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it", { reason: "aborted" });
  assertEquals((await run(network)).probe, "unavailable");
  assertEquals((await run(textAnswer("<p>", 200, { "content-type": "text/html" }))).probe, "standing");
});
