import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { bindingOf, LeaseExchange } from "../../../../adapters/http/leases/lease_exchange.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { RetryAfter } from "../../../../adapters/http/leases/retry_after.ts";
import { createProviderParts } from "../../../../adapters/http/tokens/provider_parts.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { ServerFaults } from "../../../../adapters/http/tokens/server_faults.ts";
import { serverEntries } from "../../../../adapters/http/authorization/server_registry.ts";
import { tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import {
  configurationOf,
  createFakeLegs,
  failureOf,
  metadataOf,
  startFakeHost,
  store,
  USE,
} from "../fake_legs.ts";

test("one refused ID-JAG is followed by a fresh one, a second one blocks", async () => {
  const host = await startFakeHost();
  const refused = failureOf("redemption", "invalid_grant");
  host.legs.failures.redeem.push(refused);
  await host.tokens.token(USE);
  assertEquals(host.legs.asked.filter((one) => one.startsWith("exchange")).length, 2);
  host.clock.time += 301;
  host.legs.failures.redeem.push(refused, refused);
  const error = await assertRejects(() => host.tokens.token(USE), EnterpriseError);
  assertEquals([error.code, error.leg], ["ASSERTION_REFUSED", "redemption"]);
  assertEquals(host.legs.asked.filter((one) => one.startsWith("exchange")).length, 4);
});

test("an ID token that is refused is renewed and tried once more", async () => {
  const host = await startFakeHost({ members: { subject_token: "id_token" } });
  host.legs.failures.exchange.push(failureOf("token-exchange", "invalid_grant"));
  host.legs.renewed = "id-1";
  await host.tokens.token(USE);
  assertEquals(host.legs.asked.filter((one) => /exchange|refresh/.test(one)), [
    "exchange id_token id-0",
    "refresh refresh-0",
    "exchange id_token id-1",
  ]);
});

test("an endpoint that moved blocks, until a person retries", async () => {
  const host = await startFakeHost();
  await host.tokens.token(USE);
  host.clock.time += 301;
  const { provider } = host.legs.facts;
  host.legs.facts = {
    ...host.legs.facts,
    provider: { ...provider, tokenEndpoint: `${provider.tokenEndpoint}/2` },
  };
  const error = await assertRejects(() => host.tokens.token(USE), EnterpriseError);
  assertEquals([error.code, error.reason], ["DISCOVERY_REFUSED", "endpoint-moved"]);
  host.tokens.retryServer("notes");
  await host.tokens.token(USE);
  assertEquals(host.legs.asked.includes("forget"), true);
});

test("a token that came too late is kept nowhere", async () => {
  const legs = createFakeLegs();
  let open = (): void => undefined;
  legs.gate = new Promise((resolve) => open = resolve);
  const configuration = configurationOf();
  const [entry] = await serverEntries(configuration, createDigest());
  if (entry === undefined) throw new Error("Cannot read the configuration");
  const source = new MemoryGrantSource();
  await store(source);
  const clock = { now: () => 1_000, sleep: () => Promise.resolve(true) };
  const holder = {
    current: () => entry.provider,
    refused: () => new EnterpriseError("SUPERSEDED", "Cannot go on"),
  };
  const faults = new ServerFaults();
  const runtime = createEdgeRuntime();
  const given = { provider: entry.provider, source, faults, legs, clock, runtime, digest: createDigest() };
  const { authorization, registry } = createProviderParts(given, holder);
  registry.load([entry]);
  const { fingerprint } = entry;
  authorization.dispatch({
    kind: "configuration-loaded",
    servers: [{ name: "notes", fingerprint, disabled: null }],
  });
  const { signal } = new AbortController();
  await authorization.grant.sync(signal);
  const exchange = new LeaseExchange({ authorization, registry, legs, clock, pauses: new RetryAfter(clock) });
  const made = exchange.make({ entry, scopes: null, stepUp: false }, signal);
  while (!legs.asked.includes("redeem")) await new Promise((resolve) => setTimeout(resolve, 0));
  authorization.dispatch({ kind: "grant-missing", tag: tagOf(authorization.state, null) });
  open();
  assertEquals((await assertRejects(() => made, EnterpriseError)).code, "SUPERSEDED");
  assertEquals([authorization.bearers.size, authorization.state.leases.length], [0, 0]);
});

test("a binding differs by everything that a lease is bound to", async () => {
  const [entry] = await serverEntries(configurationOf(), createDigest());
  if (entry === undefined) throw new Error("Cannot read the configuration");
  const { facts } = createFakeLegs();
  const tag = { owner: "k", generation: "g" };
  const one = bindingOf(entry, { facts, scopes: ["read"], tag });
  const others = [
    bindingOf(entry, { facts, scopes: null, tag }),
    bindingOf(entry, { facts, scopes: ["write"], tag }),
    bindingOf(entry, { facts, scopes: ["read"], tag: { ...tag, owner: "l" } }),
    bindingOf(entry, { facts, scopes: ["read"], tag: { ...tag, generation: "h" } }),
    bindingOf(entry, { facts: { ...facts, resource: "https://mcp.example" }, scopes: ["read"], tag }),
    bindingOf(entry, {
      facts: { ...facts, authorizationServer: metadataOf("https://other.example") },
      scopes: ["read"],
      tag,
    }),
  ];
  for (const other of others) assertNotEquals(other, one);
  assertEquals(bindingOf(entry, { facts, scopes: null, tag: { ...tag, owner: null } }), null);
});
