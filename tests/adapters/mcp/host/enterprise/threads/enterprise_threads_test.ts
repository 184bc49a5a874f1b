import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import type { AccountTokens } from "../../../../../../adapters/mcp/host/enterprise/accounts/account_tokens.ts";
import type { EnterpriseThread } from "../../../../../../adapters/mcp/host/enterprise/threads/enterprise_thread.ts";
import { EnterpriseThreads } from "../../../../../../adapters/mcp/host/enterprise/threads/enterprise_threads.ts";
import type { RevokedReason } from "../../../../../../core/enterprise/authorization/state.ts";
import { HostError } from "../../../../../../core/errors.ts";

const ACCOUNT = {} as AccountTokens;

function threadOf(name: string, revocations: ReadonlyMap<string, RevokedReason> = new Map()) {
  const did: string[] = [];
  const thread = {
    thread: name,
    account: ACCOUNT,
    at: (server: string) => ({ revoke: (reason: string) => did.push(`${server} ${reason}`) }),
    revocations: () => revocations,
    close: ({ code }: HostError) => {
      did.push(code);
      return Promise.resolve();
    },
  };
  return { thread: thread as unknown as EnterpriseThread, did };
}

test("what was revoked is remembered for the name, and forgotten when a later thread had it back", async () => {
  const threads = new EnterpriseThreads();
  threads.add(threadOf("one", new Map([["notes", "replaced"]])).thread);
  await threads.close("one");
  await threads.close("one");
  assertEquals([...threads.revokedOf("one")], [["notes", "replaced"]]);
  assertEquals(threads.revokedOf("two").size, 0);
  threads.add(threadOf("one").thread);
  await threads.close("one");
  assertEquals(threads.revokedOf("one").size, 0);
});

test("a revocation reaches the thread it is about, if that still has the account", () => {
  const threads = new EnterpriseThreads();
  const { thread, did } = threadOf("one");
  threads.add(thread);
  const revoked = { kind: "revoke-thread", thread: "one", server: "notes", reason: "replaced" } as const;
  threads.follow(revoked, ACCOUNT);
  threads.follow(revoked, {} as AccountTokens);
  threads.follow({ ...revoked, thread: "two" }, ACCOUNT);
  threads.follow({ kind: "cancel-pending" }, ACCOUNT);
  assertEquals(did, ["notes replaced"]);
});

test("closed threads and a closed host are told apart", async () => {
  const threads = new EnterpriseThreads();
  const { thread, did } = threadOf("one");
  threads.add(thread);
  assertEquals([threads.get("one"), threads.find("two")], [thread, undefined]);
  assertEquals(assertThrows(() => threads.get("two"), HostError).code, "THREAD_CLOSED");
  threads.check();
  await threads.closeAll();
  assertEquals([did, threads.all], [["HOST_CLOSED"], []]);
  assertEquals(assertThrows(() => threads.get("one"), HostError).code, "HOST_CLOSED");
  assertThrows(() => threads.check(), HostError);
});

test("what is remembered is bounded, by when a thread was closed", async () => {
  const threads = new EnterpriseThreads();
  for (let at = 0; at <= 10_000; at += 1) {
    threads.add(threadOf(`t${at}`, new Map([["notes", "replaced"]])).thread);
    await threads.close(`t${at}`);
  }
  assertEquals([0, 1, 10_000].map((at) => threads.revokedOf(`t${at}`).size), [0, 1, 1]);
});
