import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { never, SecretItems } from "../../../../adapters/http/grants/secret_items.ts";
import { SharedGrants } from "../../../../adapters/http/grants/shared_grants.ts";
import { StoredGrants } from "../../../../adapters/http/grants/stored_grants.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { type GrantRecord, rotateGrant } from "../../../../core/enterprise/grant/record.ts";
import { recordOf } from "../fake_legs.ts";
import { FaultySecretStore } from "./faulty_secret_store.ts";

const KEY = "a".repeat(64);
const FRESH = "02".repeat(16);

/** What one process has beside the store, from one lock to the next. */
function createProcess(store: FaultySecretStore) {
  const unsaved = new Map<string, GrantRecord>();
  const open = (held: AbortSignal = never()): SharedGrants => {
    const stored = new StoredGrants(new SecretItems(store), "marker");
    return new SharedGrants({ stored, unsaved, held, signal: never() });
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
  for (const record of [rotated, rotateGrant(recordOf({ generation: FRESH }), { refreshToken: "other" })]) {
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
