import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { LeaseRequests } from "../../../../adapters/http/leases/lease_requests.ts";
import { createProviderParts } from "../../../../adapters/http/tokens/provider_parts.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { ServerFaults } from "../../../../adapters/http/tokens/server_faults.ts";
import { serverEntries } from "../../../../adapters/http/authorization/server_registry.ts";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { configurationOf, createFakeLegs, failureOf, store } from "../fake_legs.ts";

async function start() {
  const legs = createFakeLegs();
  const [entry] = await serverEntries(configurationOf(), createDigest());
  assert(entry !== undefined);
  const source = new MemoryGrantSource();
  await store(source);
  const clock = { now: () => 1_000, sleep: () => Promise.resolve(true) };
  const { provider } = entry;
  const given = { provider, source, faults: new ServerFaults(), legs, clock };
  const { authorization, registry } = createProviderParts(
    { ...given, runtime: createEdgeRuntime(), digest: createDigest() },
    { current: () => provider, refused: () => new EnterpriseError("SUPERSEDED", "Cannot go on") },
  );
  registry.load([entry]);
  const { signal } = new AbortController();
  await authorization.grant.sync(signal);
  const requests = new LeaseRequests({ authorization, registry, legs, clock });
  const presenting = { entry, facts: legs.facts, scopes: ["read"], trace: { idToken: null }, signal };
  return { requests, legs, entry, presenting, signal };
}

test("both requests give a lease with a fresh name, which ends as its token says", async () => {
  const { requests, presenting } = await start();
  const [one, other] = [await requests.get(presenting), await requests.get(presenting)];
  assert(!("failed" in one) && !("failed" in other));
  assertEquals([one.token, one.receivedAt, one.expiresAt], ["bearer-1", 1_000, 1_300]);
  assert(one.id !== other.id);
});

test("a failure says at which leg", async () => {
  const { requests, legs, presenting } = await start();
  legs.failures.exchange.push(failureOf("token-exchange", "access_denied"));
  const first = await requests.get(presenting);
  legs.failures.redeem.push(failureOf("redemption", "invalid_scope"));
  const second = await requests.get(presenting);
  assert("failed" in first && "failed" in second);
  assertEquals([first.failed, first.meaning], ["token-exchange", "administrator"]);
  assertEquals([second.failed, second.meaning], ["redemption", "scope"]);
});

test("what moved since the last time is a failure, and a server that never worked has not moved", async () => {
  const { requests, legs, entry, signal } = await start();
  const { locate } = legs;
  const gone = (): Promise<never> =>
    Promise.reject(new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot reach it"));
  Object.assign(legs, { locate: gone });
  const before = await requests.locate(entry, signal);
  assert("failed" in before);
  assertEquals([before.meaning, before.moved], ["unavailable", null]);
  Object.assign(legs, { locate });
  assertEquals(await requests.locate(entry, signal), { facts: legs.facts });
  legs.facts = {
    ...legs.facts,
    provider: { ...legs.facts.provider, tokenEndpoint: "https://idp.example/2" },
  };
  const after = await requests.locate(entry, signal);
  assert("failed" in after);
  assertEquals([after.moved, after.error.reason], ["endpoint", "endpoint-moved"]);
});

test("an error that is none of ours is thrown on", async () => {
  const { requests, legs, entry, signal } = await start();
  Object.assign(legs, { locate: () => Promise.reject(new RangeError("no")) });
  await assertRejects(() => requests.locate(entry, signal), RangeError);
});
