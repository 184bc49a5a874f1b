import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { probeGrant } from "../../../../adapters/http/grants/probe_grant.ts";
import { configurationOf, createFakeLegs, failureOf, recordOf } from "../fake_legs.ts";

test("only the refresh's own invalid_grant says that the grant ended", async () => {
  const [provider] = configurationOf().providers;
  if (provider === undefined) throw new Error("Cannot read the configuration");
  const rows = [
    [null, "standing"],
    [failureOf("token-exchange", "invalid_grant"), "refused"],
    [failureOf("token-exchange", "invalid_request"), "unavailable"],
    [failureOf("token-exchange", "invalid_client", 401), "unavailable"],
    [failureOf("token-exchange", null, 503), "unavailable"],
  ] as const;
  const { signal } = new AbortController();
  for (const [failure, outcome] of rows) {
    const legs = createFakeLegs();
    if (failure !== null) legs.failures.refresh.push(failure);
    const grant = { record: recordOf(), rotate: () => Promise.resolve() };
    assertEquals(await probeGrant(grant, { provider, legs, signal }), outcome);
  }
  const legs = createFakeLegs();
  const without = { record: recordOf({ refreshToken: null }), rotate: () => Promise.resolve() };
  assertEquals(await probeGrant(without, { provider, legs, signal }), "no-refresh-token");
  assertEquals(legs.asked, []);
});
