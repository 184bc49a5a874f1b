import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Accounts } from "../../../../../../adapters/mcp/host/enterprise/account.ts";
import { AccountGrants } from "../../../../../../adapters/mcp/host/enterprise/accounts/account_grants.ts";
import { AccountTokens } from "../../../../../../adapters/mcp/host/enterprise/accounts/account_tokens.ts";
import type { ConfigurationOutcome } from "../../../../../../adapters/mcp/host/enterprise/accounts/configuration_outcome.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";
import { recordOf, store, USE } from "../../../../http/fake_legs.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";

const VALID: ConfigurationOutcome = { kind: "valid", loaded: CONFIGURATION, fault: null };
const REJECTED: ConfigurationOutcome = {
  kind: "rejected",
  loaded: CONFIGURATION,
  fault: { field: "mcp_servers", layer: null },
};

async function begin(account: typeof ALICE | null = ALICE) {
  const { options, source } = await fakeDeskParts();
  const revoked: string[] = [];
  const tokens = new AccountTokens({
    ...options,
    legs: options.legs ?? (await fakeDeskParts()).legs,
    account: new Accounts().know(account, "sign-in"),
    sources: new AccountGrants(options),
    onEffect: (effect) => effect.kind === "revoke-thread" && revoked.push(effect.reason),
  });
  return { tokens, source, revoked };
}

test("a thread is authorized under the generation in force, of the account or of whoever is signed in", async () => {
  for (const account of [ALICE, null]) {
    const { tokens } = await begin(account);
    await tokens.take(VALID);
    assertEquals([tokens.generationOf(USE), tokens.wasAuthorized(USE)], [null, false]);
    assertEquals(tokens.refusal({ ...USE, revoked: null }), null);
    await tokens.tokens.openThread(USE);
    assertEquals([tokens.generationOf(USE), tokens.wasAuthorized(USE)], [recordOf().generation, true]);
    assertEquals(tokens.status({ ...USE, revoked: null }).kind, "ready");
  }
  const { tokens } = await begin({ user: "bob", workspace: null });
  await tokens.take(VALID);
  await tokens.tokens.openThread(USE);
  assertEquals(tokens.generationOf(USE), null);
});

test("a thread that the host holds for revoked is refused as the state would", async () => {
  const { tokens } = await begin();
  await tokens.take(VALID);
  await tokens.tokens.openThread(USE);
  const held = { ...USE, revoked: "account-changed" } as const;
  const refusal = tokens.refusal(held);
  assertEquals(refusal instanceof EnterpriseError && [refusal.code, refusal.reason], [
    "REAUTHORIZATION_REQUIRED",
    "account-changed",
  ]);
  assertEquals(tokens.status(held), { kind: "reconnect", because: "account-changed" });
});

test("a sign-in that changed is seen by looking", async () => {
  const { tokens, source, revoked } = await begin();
  await tokens.take(VALID);
  await tokens.tokens.openThread(USE);
  await store(source, recordOf({ generation: "02".repeat(16) }));
  assertEquals([tokens.generationOf(USE), revoked], [recordOf().generation, []]);
  await tokens.look(USE.server);
  assertEquals([tokens.generationOf(USE), revoked], [null, ["replaced"]]);
  assertEquals(await tokens.reauthorize(USE), true);
  assertEquals(tokens.generationOf(USE), "02".repeat(16));
});

test("the last outcome on the configuration holds, whenever it comes", async () => {
  const late = await begin();
  await late.tokens.take(REJECTED);
  assertEquals(late.tokens.status({ ...USE, revoked: null }).kind, "configuration-rejected");
  assertEquals(
    (await assertRejects(() => late.tokens.reauthorize(USE), EnterpriseError)).code,
    "CONFIGURATION_REFUSED",
  );
  const token = await assertRejects(() => late.tokens.tokens.token(USE), EnterpriseError);
  assertEquals(token.code, "CONFIGURATION_REFUSED");
  // one that is overtaken while it is being taken
  const loading = late.tokens.take({ ...VALID });
  const rejecting = late.tokens.take(REJECTED);
  await Promise.all([loading, rejecting]);
  assertEquals(late.tokens.byConfiguration("notes")?.code, "CONFIGURATION_REFUSED");
  await late.tokens.take({ ...VALID });
  assertEquals(late.tokens.byConfiguration("notes"), null);
  await late.tokens.tokens.openThread(USE);
  await late.tokens.take({ ...VALID, kind: "unavailable" });
  assertEquals(late.tokens.refusal({ ...USE, revoked: null })?.code, "CONFIGURATION_UNAVAILABLE");
  assertEquals(late.revoked, []);
  await late.tokens.take(REJECTED);
  assertEquals(late.revoked, ["configuration-rejected"]);
});
