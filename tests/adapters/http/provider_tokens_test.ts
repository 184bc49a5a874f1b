import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../adapters/http/digest.ts";
import { MemoryGrantSource } from "../../../adapters/http/memory_grant_source.ts";
import { ProviderTokens } from "../../../adapters/http/provider_tokens.ts";
import { ServerFaults } from "../../../adapters/http/server_faults.ts";
import { serverEntries } from "../../../adapters/http/server_registry.ts";
import { EnterpriseError } from "../../../core/enterprise/error.ts";
import { configurationOf, createFakeLegs, store, USE } from "./fake_legs.ts";

async function create(): Promise<ProviderTokens> {
  const configuration = configurationOf();
  const [provider] = configuration.providers;
  if (provider === undefined) throw new Error("Cannot read the configuration");
  const source = new MemoryGrantSource();
  await store(source);
  const clock = { now: () => 1_000, sleep: () => Promise.resolve(true) };
  const faults = new ServerFaults();
  const tokens = new ProviderTokens({
    provider,
    source,
    faults,
    legs: createFakeLegs(),
    clock,
    digest: createDigest(),
  });
  tokens.load(provider, await serverEntries(configuration, createDigest()));
  return tokens;
}

test("it has the servers that it was given, and knows those that it had", async () => {
  const tokens = await create();
  await tokens.openThread(USE);
  assertEquals([tokens.has("notes"), tokens.knows("notes"), tokens.has("other")], [true, true, false]);
  tokens.load(undefined, []);
  assertEquals([tokens.has("notes"), tokens.knows("notes"), tokens.knows("other")], [false, true, false]);
  assertEquals(tokens.provider.issuer, "https://idp.example");
});

test("the second 401 in a row throws what the first one did not", async () => {
  const tokens = await create();
  const first = await tokens.lease(USE);
  tokens.bearerRefused(first.lease, USE);
  const second = await tokens.lease(USE);
  const error = assertThrows(() => tokens.bearerRefused(second.lease, USE), EnterpriseError);
  assertEquals([error.code, error.reason], ["REAUTHORIZATION_REQUIRED", "bearer-refused"]);
  tokens.retryServer("notes");
  assertEquals((await tokens.lease(USE)).token, "bearer-3");
});

test("an account is nobody's matter where the sign-in says whose it is", async () => {
  const tokens = await create();
  await tokens.lease(USE);
  await tokens.setAccount({ user: "bob", workspace: null });
  assertEquals((await tokens.lease(USE)).token, "bearer-1");
});
