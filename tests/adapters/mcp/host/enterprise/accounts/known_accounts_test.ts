import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { KnownAccounts } from "../../../../../../adapters/mcp/host/enterprise/accounts/known_accounts.ts";
import type { AccountTokens } from "../../../../../../adapters/mcp/host/enterprise/accounts/account_tokens.ts";
import { recordOf, store, USE } from "../../../../http/fake_legs.ts";
import { ALICE, CONFIGURATION, fakeDeskParts } from "../fake_servers.ts";
import { deferred } from "../../deferred.ts";

const VALID = { kind: "valid", loaded: CONFIGURATION, fault: null } as const;

async function begin(changes: Parameters<typeof fakeDeskParts>[0] = {}) {
  const { options, source, legs } = await fakeDeskParts(changes);
  const used = new Set<AccountTokens>();
  const revoked: (string | null)[] = [];
  const accounts = new KnownAccounts({
    enterprise: options,
    fetch: globalThis.fetch,
    onEffect: (effect, { account }) =>
      effect.kind === "revoke-thread" && revoked.push(account.name?.user ?? null),
    isUsed: (account) => used.has(account),
  });
  return { accounts, source, used, revoked, legs };
}

test("one account has the same tokens, another has others, and one that comes later knows the last word", async () => {
  const { accounts } = await begin();
  const alice = accounts.of(ALICE, "sign-in");
  assertEquals(accounts.of({ ...ALICE }, "sign-in"), alice);
  assertEquals(accounts.of(null, "sign-in") === accounts.of(null, "nobody"), false);
  assertEquals(alice.byConfiguration("notes")?.code, "CONFIGURATION_UNAVAILABLE");
  await accounts.say(VALID);
  const bob = accounts.of({ user: "bob", workspace: null }, "sign-in");
  await bob.ready();
  assertEquals([alice.byConfiguration("notes"), bob.byConfiguration("notes")], [null, null]);
});

test("a sign-in that changed here is seen by all accounts that it is about", async () => {
  const { accounts, source, revoked } = await begin();
  await accounts.say(VALID);
  for (const account of [ALICE, null]) {
    const tokens = accounts.of(account, "sign-in");
    await tokens.ready();
    await tokens.tokens.openThread(USE);
  }
  await store(source, recordOf({ generation: "02".repeat(16) }));
  await accounts.lookAll();
  assertEquals(revoked, ["alice", null]);
});

test("accounts that no thread has are let go, the oldest first, and supplied ones at once", async () => {
  const { accounts, used } = await begin();
  const identity = { tokens: () => Promise.resolve(null), rotated: () => Promise.resolve() };
  const supplied = accounts.of({ ...ALICE, identity }, "sign-in");
  const kept = accounts.of(ALICE, "sign-in");
  used.add(kept);
  const accountOf = (index: number) => ({ user: `user-${index}`, workspace: null });
  const many = Array.from({ length: 20 }, (_, index) => accounts.of(accountOf(index), "sign-in"));
  accounts.sweep();
  assertEquals(accounts.of(ALICE, "sign-in"), kept);
  assert(accounts.of({ ...ALICE, identity }, "sign-in") !== supplied);
  assert(accounts.of(accountOf(0), "sign-in") !== many[0]);
  assertEquals(accounts.of(accountOf(19), "sign-in"), many[19]);
});

test("closing ends a request that nobody waits for, and waits for work on a sign-in no longer than its time", async () => {
  const waits: number[] = [];
  const elapsed = deferred<boolean>();
  const clock = {
    now: (): number => 1_000,
    sleep: (seconds: number): Promise<boolean> => {
      waits.push(seconds);
      return elapsed.promise;
    },
  };
  const { accounts, legs } = await begin({ clock });
  await accounts.say(VALID);
  const account = accounts.of(ALICE, "sign-in");
  await account.ready();
  const { tokens } = account;
  let redeemed: AbortSignal | undefined;
  const asked = deferred<void>();
  legs.redeem = (_registration, { signal }) => {
    redeemed = signal;
    asked.resolve();
    return new Promise(() => {}); // one that cannot be ended
  };
  void tokens.token(USE).catch(() => undefined);
  await asked.promise;
  let closed = false;
  const closing = accounts.close().then(() => closed = true);
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals([redeemed?.aborted, waits, closed], [true, [5], false]);
  elapsed.resolve(true);
  await closing;
});
