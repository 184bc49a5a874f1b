import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { Authorization } from "../../../../adapters/http/authorization/authorization.ts";
import { createFakeLegs, recordOf, USE } from "../fake_legs.ts";
import { GrantWork } from "../../../../adapters/http/grants/grant_work.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { heldGrant } from "../../../../adapters/http/grants/seen_grant.ts";
import { tagOf } from "../../../../core/enterprise/authorization/tag.ts";
import { configurationOf } from "../fake_legs.ts";

function create(): { authorization: Authorization; seen: string[]; source: MemoryGrantSource } {
  const [provider] = configurationOf().providers;
  if (provider === undefined) throw new Error("Cannot read the configuration");
  const seen: string[] = [];
  const source = new MemoryGrantSource();
  const authorization = new Authorization({
    ownerFrom: "sign-in",
    grantWork: (holder) =>
      new GrantWork(holder, {
        provider: () => provider,
        source,
        legs: createFakeLegs(),
        newGeneration: () => "ab".repeat(16),
        deadline: 5,
      }),
    onEffect: ({ kind }) => void seen.push(kind),
  });
  return { authorization, seen, source };
}

test("what needs no waiting is done before an event returns: tokens, requests, streams", async () => {
  const { authorization, seen } = create();
  const servers = [{ name: "notes", fingerprint: "f", disabled: null }];
  authorization.dispatch({ kind: "configuration-loaded", servers });
  const now = () => tagOf(authorization.state, null);
  authorization.dispatch({ kind: "grant-found", tag: now(), grant: heldGrant("k", recordOf()) });
  authorization.dispatch({ kind: "thread-opened", ...USE });
  const lease = { id: "l", server: "notes", binding: "b", receivedAt: 0, expiresAt: 9 };
  authorization.dispatch({ kind: "lease-ready", tag: tagOf(authorization.state, "notes"), lease });
  authorization.bearers.keep("l", "token");
  const stream = authorization.streamSignal(USE);
  let aborted = false;
  const never = new AbortController().signal;
  const pending = authorization.pending(
    never,
    (signal) =>
      new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => {
          aborted = true;
          resolve();
        })
      ),
  );
  seen.length = 0;
  authorization.dispatch({ kind: "grant-missing", tag: now() });
  assertEquals([authorization.bearers.size, stream.aborted, aborted], [0, true, true]);
  assertEquals(seen, ["cancel-pending", "drop-lease", "revoke-thread"]);
  assertEquals(authorization.streamSignal(USE).aborted, false);
  await pending;
  await authorization.settled();
});

test("a thread that is closed ends its streams, and no other's", () => {
  const { authorization } = create();
  const [own, elsewhere, other] = [USE, { ...USE, server: "b" }, { ...USE, thread: "two" }].map((use) =>
    authorization.streamSignal(use)
  );
  authorization.dispatch({ kind: "thread-closed", thread: USE.thread });
  assertEquals([own?.aborted, elsewhere?.aborted, other?.aborted], [true, true, false]);
  assertEquals(authorization.streamSignal(USE).aborted, false);
});

test("something that is being committed is out of the reach of what it leads to", async () => {
  const { authorization } = create();
  const never = new AbortController().signal;
  const result = await authorization.pending(never, (signal, release) => {
    release();
    authorization.dispatch({ kind: "account-changed", owner: "other" });
    return Promise.resolve(signal.aborted);
  });
  assertEquals(result, false);
  const caller = new AbortController();
  const outer = authorization.pending(caller.signal, (signal) => {
    caller.abort();
    return Promise.resolve(signal.aborted);
  });
  assertEquals(await outer, true);
});

test("a sign-in is stored after it was accepted, and one thing after the other", async () => {
  const { authorization, seen, source } = create();
  const record = recordOf();
  const tag = tagOf(authorization.state, null);
  authorization.dispatch({ kind: "signed-in", tag, grant: heldGrant("k", record) }, { record, began: null });
  authorization.dispatch({ kind: "signed-out", generation: "cd".repeat(16) });
  await authorization.settled();
  assertEquals(seen.filter((kind) => /grant|sign-in/.test(kind)), ["store-grant", "end-sign-in"]);
  assertEquals(await source.marker(), { current: null, generation: "cd".repeat(16), revision: 0 });
});
