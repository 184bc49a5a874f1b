import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { AccountRoster } from "../../../../../../adapters/mcp/host/enterprise/accounts/accounts.ts";
import { GateKeeper } from "../../../../../../adapters/mcp/host/enterprise/connection/connection_gate.ts";
import { serverNamed } from "../../../../../../adapters/mcp/host/enterprise/accounts/configuration_state.ts";
import { threadError } from "../../../../../../adapters/mcp/host/enterprise/errors.ts";
import { DeskThread } from "../../../../../../adapters/mcp/host/enterprise/threads/enterprise_thread.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_desk.ts";

const BOB = { user: "bob", workspace: null };

async function begin(revoked: ReadonlyMap<string, "signed-out"> = new Map()) {
  const { options, events } = await fakeDeskParts();
  const keeper = new GateKeeper(options.fetch);
  const roster = new AccountRoster({
    desk: options,
    fetch: (input, init) => keeper.send(input, init),
    onEffect: () => undefined,
    isUsed: () => true,
  });
  await roster.say({ kind: "valid", loaded: CONFIGURATION, fault: null });
  const thread = new DeskThread({
    thread: "one",
    account: roster.of(null, "nobody"),
    desk: options,
    keeper,
    server: (name) => serverNamed(roster.word, name),
    revoked,
  });
  return { thread, roster, events };
}

test("a thread has one use of each server, and no account until it gets one", async () => {
  const { thread, roster } = await begin();
  assertEquals(thread.at("notes"), thread.at("notes"));
  assertEquals([thread.hadAccount, thread.servers.length], [false, 1]);
  thread.setAccount(roster.of(ALICE, "nobody"));
  thread.setAccount(roster.of(null, "nobody"));
  assertEquals(thread.hadAccount, true);
});

test("the same account changes nothing, another one revokes what was used, and closing remembers it", async () => {
  const { thread, roster, events } = await begin();
  const alice = roster.of(ALICE, "nobody");
  thread.setAccount(alice);
  await thread.at("notes").connection();
  thread.setAccount(alice);
  assertEquals(thread.revocations().size, 0);
  thread.setAccount(roster.of(BOB, "nobody"));
  assertEquals([...thread.revocations()], [["notes", "account-changed"]]);
  await thread.close(threadError("one"));
  assertEquals([...thread.revocations()], [["notes", "account-changed"]]);
  assertEquals(events.map(({ kind }) => kind), ["connected", "authorization-revoked", "disconnected"]);
});

test("what was revoked of its name before stays so, until a person authorizes it", async () => {
  const { thread, roster } = await begin(new Map([["notes", "signed-out"], ["other", "signed-out"]]));
  thread.setAccount(roster.of(ALICE, "nobody"));
  assertEquals(thread.at("notes").revoked, "signed-out");
  assertEquals(await thread.at("notes").reauthorize(), true);
  assertEquals([...thread.revocations()], [["other", "signed-out"]]);
});
