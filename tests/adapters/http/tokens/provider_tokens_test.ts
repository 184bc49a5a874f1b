import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { ProviderTokens } from "../../../../adapters/http/tokens/provider_tokens.ts";
import { createEdgeRuntime } from "../../../../adapters/http/transport/sending.ts";
import { ServerFaults } from "../../../../adapters/http/tokens/server_faults.ts";
import { serverEntries } from "../../../../adapters/http/authorization/server_registry.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { configurationOf, createFakeLegs, store, USE } from "../fake_legs.ts";

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
    runtime: createEdgeRuntime(),
  });
  tokens.load(provider, await serverEntries(configuration, createDigest()));
  return tokens;
}

test("the threads of a server are known, also when it is gone, and can be taken over", async () => {
  const [before, now] = [await create(), await create()];
  await before.openThread(USE);
  before.load(undefined, []);
  assertEquals(before.threadsOf("other"), []);
  assertEquals(before.threadsOf("notes").map(({ thread, revoked }) => [thread, revoked]), [
    ["one", "server-removed"],
  ]);
  now.carry("notes", before.threadsOf("notes"));
  const error = await assertRejects(() => now.lease(USE), EnterpriseError);
  assertEquals([error.code, error.reason], ["REAUTHORIZATION_REQUIRED", "registration-changed"]);
});

test("an account is nobody's matter where the sign-in says whose it is", async () => {
  const tokens = await create();
  await tokens.lease(USE);
  await tokens.setAccount({ user: "bob", workspace: null });
  assertEquals((await tokens.lease(USE)).token, "bearer-1");
});
