import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { never } from "../../../../adapters/async/never.ts";
import { SecretItems } from "../../../../adapters/http/grants/secret_items.ts";
import { SharedGrants } from "../../../../adapters/http/grants/shared_grants.ts";
import { StoredGrants } from "../../../../adapters/http/grants/stored_grants.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { type GrantRecord, rotateGrant } from "../../../../core/enterprise/grant/record.ts";
import type { SecretStore } from "../../../../core/ports/secret_store.ts";
import { recordOf } from "../fake_legs.ts";
import { FaultySecretStore } from "./faulty_secret_store.ts";

const KEY = "a".repeat(64);
const FRESH = "02".repeat(16);

/** What one process has beside the store, from one lock to the next. It waits so often for a store that fails. */
function createProcess(store: SecretStore, patience: number = 0) {
  const unsaved = new Map<string, GrantRecord>();
  let waits = 0;
  const clock = { sleep: (): Promise<boolean> => Promise.resolve((waits += 1) <= patience) };
  const open = (held: AbortSignal = never()): SharedGrants => {
    const stored = new StoredGrants(new SecretItems(store), "marker");
    return new SharedGrants({ stored, unsaved, clock, held, signal: never() });
  };
  return { unsaved, open };
}

async function signedIn() {
  const store = new FaultySecretStore();
  const { unsaved, open } = createProcess(store);
  await open().write(KEY, recordOf());
  store.asked.splice(0);
  return { store, unsaved, open };
}

test("a rotation stores the token before the marker, an end the marker before it deletes", async () => {
  const { store, open } = await signedIn();
  await open().write(KEY, rotateGrant(recordOf(), { refreshToken: "rotated" }));
  const written = (): readonly string[] =>
    store.asked.splice(0).filter((one) => !one.startsWith("read")).map((one) => one.replace(KEY, "KEY"));
  assertEquals(written(), ["write codex-mcp-grant-KEY", "write marker"]);
  await open().endSignIn({ key: null, generation: FRESH });
  assertEquals(written(), ["write marker", "delete codex-mcp-grant-KEY", "write marker"]);
});

test("a rotated token that the store did not take is stored by the next one that reads, and not lost", async () => {
  const { store, unsaved, open } = await signedIn();
  const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
  store.faults.write.push("before", "before");
  await assertRejects(() => open().write(KEY, rotated), EnterpriseError);
  assertEquals(unsaved.size, 1);
  assertEquals(await open().read(KEY), rotated);
  assertEquals(unsaved.size, 0);
  const other = createProcess(store).open();
  assertEquals([await other.read(KEY), (await other.marker())?.revision], [rotated, 1]);
});

test("a rotated token that the store does not take is tried again while the lock is held", async () => {
  const { store } = await signedIn();
  const { open, unsaved } = createProcess(store, 10);
  const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
  store.faults.write.push(...Array.from({ length: 8 }, () => "before" as const));
  await open().write(KEY, rotated);
  const other = createProcess(store).open();
  assertEquals([await other.read(KEY), (await other.marker())?.revision, unsaved.size], [rotated, 1, 0]);
});

test("a rotated token whose storing nobody could tell is not taken for another's", async () => {
  const { store } = await signedIn();
  const { open, unsaved } = createProcess(store, 10);
  const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
  store.faults.write.push("after");
  store.faults.read.push(null, "before");
  await open().write(KEY, rotated);
  assertEquals([await createProcess(store).open().read(KEY), unsaved.size], [rotated, 0]);
});

test("what is void or deleted is not waiting to be stored any more", async () => {
  for (const how of ["ended", "deleted"] as const) {
    const { store, unsaved, open } = await signedIn();
    store.faults.write.push("before", "before");
    const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
    await assertRejects(() => open().write(KEY, rotated), EnterpriseError);
    const other = createProcess(store).open();
    if (how === "ended") await other.endSignIn({ key: KEY, generation: FRESH });
    else await other.remove(KEY);
    assertEquals([await open().read(KEY), unsaved.size], [null, 0]);
  }
});

test("a sign-in whose lock somebody else took over does not replace theirs", async () => {
  const theirs = recordOf({ generation: "05".repeat(16) });
  for (const [moment, key] of [["marker", KEY], ["grant", KEY], ["marker", "b".repeat(64)]] as const) {
    const store = new FaultySecretStore();
    let between: (() => Promise<void>) | null = null;
    const slow: SecretStore = {
      read: async (name, signal) => {
        const found = await store.read(name, signal);
        const work = name.includes(moment) ? between : null;
        if (work !== null) between = null;
        await work?.();
        return found;
      },
      write: (name, change, signal) => store.write(name, change, signal),
    };
    const grants = createProcess(slow).open();
    assertEquals(await grants.marker(), null); // as whoever stores a sign-in does
    between = () => createProcess(store).open().write(key, theirs);
    const error = await assertRejects(() => grants.write(KEY, recordOf()), EnterpriseError);
    assertEquals(error.code, "SUPERSEDED", moment);
    const now = createProcess(store).open();
    assertEquals([await now.read(key), (await now.marker())?.current], [theirs, key], moment);
  }
});

test("a sign-in whose lock is lost while it looks is not stored", async () => {
  const store = new FaultySecretStore();
  const lost = new AbortController();
  const slow: SecretStore = {
    read: (name, signal) => {
      if (name === "marker") lost.abort();
      return store.read(name, signal);
    },
    write: (name, change, signal) => store.write(name, change, signal),
  };
  await assertRejects(() => createProcess(slow).open(lost.signal).write(KEY, recordOf()), EnterpriseError);
  assertEquals(store.asked.filter((one) => one.startsWith("write")), []);
});

test("a marker that lags behind is mended, another account's is left", async () => {
  const { store, open } = await signedIn();
  const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
  store.faults.write.push(null, "before", "before"); // the grant is written, its marker is not
  await assertRejects(() => open().write(KEY, rotated), EnterpriseError);
  const grants = createProcess(store).open();
  assertEquals((await grants.marker())?.revision, 0);
  assertEquals(await grants.read(KEY), rotated);
  assertEquals((await grants.marker())?.revision, 1);
});

test("what is ended is void though it could not be deleted, and the next one deletes it", async () => {
  const { store, open } = await signedIn();
  store.faults.write.push(null, "before", "before");
  const ended = await open().endSignIn({ key: null, generation: FRESH });
  assertEquals([ended.deleted, ended.fault?.code, ended.records.length], [false, "KEYRING_LOCKED", 1]);
  assertEquals(await createProcess(store).open().read(KEY), null);
  const again = await open().endSignIn({ key: null, generation: "03".repeat(16) });
  assertEquals([again.deleted, again.fault, again.records.length], [true, null, 1]);
  assertEquals((await open().marker())?.voided, undefined);
});

test("a sign-in over a void grant of the same account counts", async () => {
  const { store, open } = await signedIn();
  store.faults.write.push(null, "before", "before");
  await open().endSignIn({ key: null, generation: FRESH });
  const again = recordOf({ generation: "04".repeat(16) });
  await open().write(KEY, again);
  assertEquals(await open().read(KEY), again);
});

test("a rotation of a sign-in that is over, or that is older than what is stored, is dropped", async () => {
  const { store, unsaved, open } = await signedIn();
  const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
  await open().write(KEY, rotated);
  await open().write(KEY, rotated); // the same again changes nothing
  const second = rotateGrant(recordOf(), { refreshToken: "second" });
  for (const record of [second, rotateGrant(recordOf({ generation: FRESH }), { refreshToken: "other" })]) {
    const error = await assertRejects(() => open().write(KEY, record), EnterpriseError);
    assertEquals(error.code, "SUPERSEDED");
  }
  assertEquals([unsaved.size, await createProcess(store).open().read(KEY)], [0, rotated]);
});

test("whoever lost the lock changes nothing but stores the token that it got", async () => {
  const { open } = await signedIn();
  const lost = AbortSignal.abort();
  const attempts = [
    () => open(lost).write(KEY, recordOf({ generation: FRESH })),
    () => open(lost).remove(KEY),
    () => open(lost).signOut(FRESH),
    () => open(lost).endSignIn({ key: KEY, generation: FRESH }),
  ];
  for (const attempt of attempts) {
    assertEquals((await assertRejects(attempt, EnterpriseError)).code, "SUPERSEDED");
  }
  const rotated = rotateGrant(recordOf(), { refreshToken: "rotated" });
  await open(lost).write(KEY, rotated);
  assertEquals(await open().read(KEY), rotated);
});

test("a damaged marker is replaced by the end of a sign-in, and by a sign-in", async () => {
  for (const heal of ["end", "sign in"] as const) {
    const { store, open } = await signedIn();
    const found = await store.read("marker", never());
    await store.write("marker", { text: "{", revision: found?.revision ?? null }, never());
    assertEquals(await open().read(KEY), recordOf());
    if (heal === "end") await open().endSignIn({ key: null, generation: FRESH });
    else await open().write(KEY, recordOf({ generation: FRESH }));
    assertEquals((await open().marker())?.generation, FRESH);
    assertEquals((await open().read(KEY))?.generation ?? null, heal === "end" ? null : FRESH);
  }
});
