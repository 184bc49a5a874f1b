import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import type { GrantRecord } from "../../../../core/enterprise/grant/record.ts";
import { recordOf, startFakeHost, stored, USE } from "../fake_legs.ts";
import { deferred } from "../../mcp/host/deferred.ts";

const FRESH = recordOf({ generation: "02".repeat(16) });

test("a sign-in replaces the generation, and its own signal is not aborted by that", async () => {
  const { tokens, source } = await startFakeHost();
  await tokens.token(USE);
  let signal: AbortSignal | undefined;
  await tokens.signIn("default", (given) => {
    signal = given;
    return Promise.resolve(FRESH);
  });
  assertEquals([signal?.aborted, (await stored(source))?.generation], [false, FRESH.generation]);
  assertEquals(tokens.status("notes", "one"), { kind: "reconnect", because: "replaced" });
});

test("a sign-in that something overtook is dropped, and its work is ended", async () => {
  const { tokens, source } = await startFakeHost();
  let finish: (record: GrantRecord) => void = () => undefined;
  let aborted = false;
  const signIn = tokens.signIn("default", (signal) => {
    signal.addEventListener("abort", () => void (aborted = true));
    return new Promise((resolve) => finish = resolve);
  });
  await tokens.signIn("default", () => Promise.resolve(FRESH));
  assertEquals(aborted, true);
  finish(recordOf({ generation: "03".repeat(16) }));
  assertEquals((await assertRejects(() => signIn, EnterpriseError)).code, "SUPERSEDED");
  assertEquals((await stored(source))?.generation, FRESH.generation);
});

test("a sign-in as someone else than the host's account, and one that is too large, change nothing", async () => {
  const { tokens, source } = await startFakeHost({ ownerFrom: "host" });
  await tokens.setAccount({ user: "alice", workspace: null });
  for (const record of [{ ...FRESH, user: "bob" }, { ...FRESH, idToken: "x".repeat(3_000) }]) {
    const error = await assertRejects(
      () => tokens.signIn("default", () => Promise.resolve(record)),
      EnterpriseError,
    );
    assertEquals(error.code, record.user === "bob" ? "SUPERSEDED" : "GRANT_TOO_LARGE");
  }
  assertEquals((await stored(source))?.generation, "01".repeat(16));
});

test("a sign-out says what it did", async () => {
  const { tokens, legs, source } = await startFakeHost();
  const failed = new EnterpriseError("TEMPORARILY_UNAVAILABLE", "Cannot revoke");
  legs.revoke = () => Promise.resolve({ kind: "failed", error: failed });
  assertEquals(await tokens.signOut("default"), { voided: "done", deleted: "done", revoked: failed });
  assertEquals(await stored(source), null);
  assertEquals(await tokens.signOut("default"), { voided: "done", deleted: null, revoked: null });
});

test("what is not ours is left alone, and nobody's account has nothing to sign out of", async () => {
  const [host, program] = [await startFakeHost({ ownerFrom: "host" }), await startFakeHost()];
  assertEquals(await host.tokens.signOut("default"), { voided: null, deleted: null, revoked: null });
  assert(await stored(host.source) !== null);
  Object.assign(program.source, { owned: false });
  assertEquals(await program.tokens.signOut("default"), {
    voided: null,
    deleted: null,
    revoked: "not-offered",
  });
  assert(await stored(program.source) !== null);
});

test("a sign-out that was never read about, and one whose lock is not to be had", async () => {
  const { tokens, source, legs } = await startFakeHost();
  assertEquals(await tokens.signOut("default"), { voided: "done", deleted: "done", revoked: "done" });
  assertEquals([await stored(source), legs.asked], [null, ["revoke"]]);
  const timeout = new EnterpriseError("LOCK_TIMEOUT", "Cannot use the stored sign-in");
  source.locked = () => Promise.reject(timeout);
  assertEquals(await tokens.signOut("default"), { voided: timeout, deleted: timeout, revoked: timeout });
});

test("nothing waits for the identity provider: the sign-in is void before it is asked", async () => {
  const { tokens, source, legs } = await startFakeHost();
  await tokens.token(USE);
  const asked = deferred<void>();
  const answer = deferred<void>();
  legs.revoke = async () => {
    asked.resolve();
    await answer.promise;
    return { kind: "revoked" };
  };
  const out = tokens.signOut("default");
  assertEquals(tokens.status("notes").kind, "signed-out", "leases and threads waited for the keyring");
  await asked.promise;
  assertEquals([await stored(source), (await source.marker())?.current], [null, null]);
  await tokens.signIn("default", () => Promise.resolve(FRESH));
  assertEquals((await stored(source))?.generation, FRESH.generation);
  answer.resolve();
  assertEquals((await out).revoked, "done");
  assertEquals((await stored(source))?.generation, FRESH.generation);
});
