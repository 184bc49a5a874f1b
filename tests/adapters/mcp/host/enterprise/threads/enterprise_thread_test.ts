import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { KnownAccounts } from "../../../../../../adapters/mcp/host/enterprise/accounts/known_accounts.ts";
import { ConnectionGates } from "../../../../../../adapters/mcp/host/enterprise/connection/connection_gates.ts";
import { serverNamed } from "../../../../../../adapters/mcp/host/enterprise/accounts/configuration_outcome.ts";
import { threadError } from "../../../../../../adapters/mcp/host/enterprise/errors.ts";
import { EnterpriseThread } from "../../../../../../adapters/mcp/host/enterprise/threads/enterprise_thread.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";

const BOB = { user: "bob", workspace: null };

async function begin(revoked: ReadonlyMap<string, "signed-out"> = new Map()) {
  const { options, events } = await fakeDeskParts();
  const gates = new ConnectionGates(options.fetch);
  const accounts = new KnownAccounts({
    enterprise: options,
    fetch: (input, init) => gates.send(input, init),
    onEffect: () => undefined,
    isUsed: () => true,
  });
  await accounts.say({ kind: "valid", loaded: CONFIGURATION, fault: null });
  const thread = new EnterpriseThread({
    thread: "one",
    account: accounts.of(null, "nobody"),
    enterprise: options,
    gates,
    server: (name) => serverNamed(accounts.outcome, name),
    revoked,
  });
  return { thread, accounts, events };
}

test("a thread has one use of each server, and no account until it gets one", async () => {
  const { thread, accounts } = await begin();
  assertEquals(thread.at("notes"), thread.at("notes"));
  assertEquals([thread.hadAccount, thread.servers.length], [false, 1]);
  thread.setAccount(accounts.of(ALICE, "nobody"));
  thread.setAccount(accounts.of(null, "nobody"));
  assertEquals(thread.hadAccount, true);
});

test("the same account changes nothing, another one revokes what was used, and closing remembers it", async () => {
  const { thread, accounts, events } = await begin();
  const alice = accounts.of(ALICE, "nobody");
  thread.setAccount(alice);
  await thread.at("notes").connection();
  thread.setAccount(alice);
  assertEquals(thread.revocations().size, 0);
  thread.setAccount(accounts.of(BOB, "nobody"));
  assertEquals([...thread.revocations()], [["notes", "account-changed"]]);
  await thread.close(threadError("one"));
  assertEquals([...thread.revocations()], [["notes", "account-changed"]]);
  assertEquals(events.map(({ kind }) => kind), ["connected", "authorization-revoked", "disconnected"]);
});

test("what was revoked of its name before stays so, until a person authorizes it", async () => {
  const { thread, accounts } = await begin(new Map([["notes", "signed-out"], ["other", "signed-out"]]));
  thread.setAccount(accounts.of(ALICE, "nobody"));
  assertEquals(thread.at("notes").revoked, "signed-out");
  assertEquals(await thread.at("notes").reauthorize(), true);
  assertEquals([...thread.revocations()], [["other", "signed-out"]]);
});
