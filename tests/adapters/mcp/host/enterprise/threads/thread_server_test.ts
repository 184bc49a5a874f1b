import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { KnownAccounts } from "../../../../../../adapters/mcp/host/enterprise/accounts/known_accounts.ts";
import { ConnectionGates } from "../../../../../../adapters/mcp/host/enterprise/connection/connection_gates.ts";
import { serverNamed } from "../../../../../../adapters/mcp/host/enterprise/accounts/configuration_outcome.ts";
import { threadError } from "../../../../../../adapters/mcp/host/enterprise/errors.ts";
import { ThreadServer } from "../../../../../../adapters/mcp/host/enterprise/threads/thread_server.ts";
import type { RevokedReason } from "../../../../../../core/enterprise/authorization/state.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";
import { HostError } from "../../../../../../core/errors.ts";
import { recordOf, USE } from "../../../../http/fake_legs.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";
import { deferred } from "../../deferred.ts";

const BOB = { user: "bob", workspace: null };

async function begin(account: typeof ALICE | null = ALICE, revoked: RevokedReason | null = null) {
  const parts = await fakeDeskParts();
  const gates = new ConnectionGates(parts.options.fetch);
  const accounts = new KnownAccounts({
    enterprise: parts.options,
    fetch: (input, init) => gates.send(input, init),
    onEffect: () => undefined,
    isUsed: () => true,
  });
  await accounts.say({ kind: "valid", loaded: CONFIGURATION, fault: null });
  const at = new ThreadServer({
    use: USE,
    account: accounts.of(account, "nobody"),
    enterprise: parts.options,
    gates,
    server: () => serverNamed(accounts.outcome, "notes"),
    revoked,
  });
  const told = (): readonly string[] => parts.events.map(({ kind }) => kind);
  return { ...parts, at, accounts, told };
}

async function refused(at: ThreadServer, code: string): Promise<void> {
  assertEquals((await assertRejects(() => at.connection(), EnterpriseError)).code, code);
}

test("a revocation keeps its first reason, and only a person takes it back", async () => {
  const { at, told } = await begin();
  const connection = await at.connection();
  assertEquals(at.authority, { account: ALICE, generation: recordOf().generation });
  at.revoke("account-changed");
  at.revoke("signed-out");
  assertEquals([at.revoked, at.authority, connection.revoked.aborted], ["account-changed", null, true]);
  await refused(at, "REAUTHORIZATION_REQUIRED");
  assertEquals(at.status(), { kind: "reconnect", because: "account-changed" });
  assertEquals(await at.reauthorize(), true);
  assertEquals((await at.connection()).number, 2);
  assertEquals(told(), ["connected", "authorization-revoked", "disconnected", "connected"]);
});

test("one that was revoked before it began is refused without a request", async () => {
  const { at, server, legs } = await begin(ALICE, "signed-out");
  await refused(at, "REAUTHORIZATION_REQUIRED");
  assertEquals([server.seen.length, legs.asked], [0, []]);
});

test("an account that changes back and forth while a person authorizes it: it stays revoked", async () => {
  const { at, accounts } = await begin();
  await at.connection();
  at.revoke("replaced");
  const account = accounts.of(ALICE, "nobody");
  const asking = at.reauthorize();
  at.setAccount(accounts.of(BOB, "nobody"));
  at.setAccount(account);
  assertEquals([await asking, at.revoked], [false, "replaced"]);
  await refused(at, "REAUTHORIZATION_REQUIRED");
});

test("an account that changes while the first connection is made: that one is not used", async () => {
  const { at, accounts, legs } = await begin();
  const gate = deferred<void>();
  legs.gate = gate.promise;
  const connecting = at.connection();
  at.setAccount(accounts.of(BOB, "nobody"));
  const error = await assertRejects(() => connecting, EnterpriseError);
  assertEquals([error.code, error.reason], ["REAUTHORIZATION_REQUIRED", "account-changed"]);
  gate.resolve();
  await accounts.idle();
  assertEquals(at.revoked, "account-changed");
});

test("nobody's thread that gets an account loses nothing", async () => {
  const { at, accounts, told } = await begin(null);
  await refused(at, "SIGN_IN_REQUIRED");
  await refused(at, "SIGN_IN_REQUIRED");
  at.setAccount(accounts.of(ALICE, "nobody"));
  assertEquals((await at.connection()).account, ALICE);
  assertEquals(told(), ["sign-in-needed", "connected"]);
});

test("closing is for good", async () => {
  const { at } = await begin();
  const connection = await at.connection();
  const error = threadError("one");
  await at.close(error);
  at.revoke("signed-out");
  assertEquals([connection.closed.aborted, at.revoked, at.refusal()], [true, null, error]);
  assertEquals(await assertRejects(() => at.connection(), HostError), error);
});
