import { assert, assertEquals } from "@std/assert";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { compareMarker, writeMarker } from "../../../core/enterprise/grant/marker.ts";
import { type GrantRecord, rotateGrant, writeGrant } from "../../../core/enterprise/grant/record.ts";
import { refused, refusedCode } from "../../contracts/refused.ts";
import { type Bench, KEY, OTHER_KEY, PROVIDER_KEY, record, withStore } from "./records.ts";

const { signal } = new AbortController();
const GENERATION = "12".repeat(16);

const write = (store: Bench["store"], one: GrantRecord, key = KEY): Promise<void> =>
  store.locked((grants) => grants.write(key, one), signal);
const read = (store: Bench["store"], key = KEY): Promise<GrantRecord | null> =>
  store.locked((grants) => grants.read(key), signal);
const entry = { service: "codex-mcp", account: KEY };

test("a sign-in is read back, its marker names it, and files are the user's alone", () =>
  withStore(async ({ store, again, folder }) => {
    assertEquals(await store.marker(), null);
    assertEquals(await read(store), null);
    await write(store, record("1"));
    assertEquals(await read(again()), record("1"));
    assertEquals(await store.marker(), { current: KEY, generation: record("1").generation, revision: 0 });
    assertEquals((await stat(folder)).mode & 0o777, 0o700);
    assertEquals(await readdir(folder), [`${PROVIDER_KEY}.json`]);
    assertEquals((await stat(`${folder}/${PROVIDER_KEY}.json`)).mode & 0o777, 0o600);
    assert(!(await readFile(`${folder}/${PROVIDER_KEY}.json`, "utf8")).includes("refresh"));
  }));

test("the keyring is read once for each text of the marker", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    keyring.take();
    await read(store);
    await read(store);
    assertEquals(keyring.take(), "");
    const other = again();
    await read(other);
    await read(other);
    assertEquals(keyring.take(), "read");
    await write(other, rotateGrant(record("1"), { refreshToken: "second" }));
    assertEquals(keyring.take(), "read write");
    assertEquals((await read(store))?.refreshToken, "second");
    assertEquals(keyring.take(), "read");
  }));

test("another account's grant is read each time, and does not disturb the current one", () =>
  withStore(async ({ store, keyring }) => {
    await write(store, record("2"), OTHER_KEY);
    await write(store, record("1"));
    keyring.take();
    assertEquals((await read(store, OTHER_KEY))?.refreshToken, "refresh-2");
    assertEquals((await read(store, OTHER_KEY))?.refreshToken, "refresh-2");
    assertEquals(keyring.take(), "read read");
    assertEquals((await store.marker())?.current, KEY);
    assertEquals((await read(store))?.refreshToken, "refresh-1");
    assertEquals(keyring.take(), "");
  }));

test("a rotation of another account's grant leaves the sign-in, or the sign-out, that is in force", () =>
  withStore(async ({ store }) => {
    await write(store, record("2"), OTHER_KEY);
    await write(store, record("1"));
    await write(store, rotateGrant(record("2"), { refreshToken: "second" }), OTHER_KEY);
    assertEquals((await store.marker())?.current, KEY);
    assertEquals((await read(store, OTHER_KEY))?.refreshToken, "second");
    await store.locked((grants) => grants.signOut(GENERATION), signal);
    await write(store, rotateGrant((await read(store, OTHER_KEY))!, { refreshToken: "third" }), OTHER_KEY);
    assertEquals((await store.marker())?.current, null);
  }));

test("a crash between marker and keyring: the item is right, and the marker is mended", () =>
  withStore(async ({ store, again, folder }) => {
    await write(store, record("1"));
    const left = { current: KEY, generation: record("1").generation, revision: 1 };
    await writeFile(`${folder}/${PROVIDER_KEY}.json`, writeMarker(left));
    const other = again(); // the process that crashed is gone, with what it remembered
    assertEquals((await read(other))?.refreshToken, "refresh-1");
    assertEquals((await other.marker())?.revision, 0);
    await write(other, rotateGrant(record("1"), { refreshToken: "second" }));
    assertEquals((await read(again()))?.refreshToken, "second");
  }));

test("tokens that another process has not stored yet are left to it: what is stored is spent", () =>
  withStore(async ({ store, again, keyring, folder }) => {
    await write(store, record("1"));
    const rotated = rotateGrant(record("1"), { refreshToken: "second" });
    keyring.locked = ["write"];
    assertEquals(await refusedCode(() => write(store, rotated)), "KEYRING_LOCKED");
    keyring.locked = [];
    assertEquals(await refusedCode(() => read(again())), "KEYRING_LOCKED");
    assertEquals((await store.marker())?.revision, 1, "the marker was put back");
    assertEquals(await read(store), rotated);
    assertEquals(await read(again()), rotated);
    assertEquals(await readdir(folder), [`${PROVIDER_KEY}.json`]);
  }));

test("rotated tokens that the keyring did not take are stored as soon as it takes them", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    const rotated = rotateGrant(record("1"), { refreshToken: "second" });
    for (const locked of [["write"], ["read"]] as const) {
      keyring.locked = locked;
      assertEquals(await refusedCode(() => write(store, rotated)), "KEYRING_LOCKED");
      assertEquals(await refusedCode(() => read(store)), "KEYRING_LOCKED");
    }
    keyring.locked = [];
    assertEquals(await read(store), rotated);
    assertEquals(await read(again()), rotated);
  }));

test("what was remembered so is dropped when another sign-in took its place", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    keyring.locked = ["write"];
    await refused(() => write(store, rotateGrant(record("1"), { refreshToken: "second" })));
    keyring.locked = [];
    await write(again(), record("2"));
    assertEquals(await read(store), record("2"));
  }));

test("a rotation of a grant that is gone or another's is SUPERSEDED, and changes nothing", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    await write(again(), record("2"));
    const rotated = rotateGrant(record("1"), { refreshToken: "late" });
    assertEquals(await refusedCode(() => write(store, rotated)), "SUPERSEDED");
    assertEquals(await read(store), record("2"));
    await keyring.delete(entry, signal);
    const late = rotateGrant(record("2"), { refreshToken: "late" });
    assertEquals(await refusedCode(() => write(store, late)), "SUPERSEDED");
    assertEquals(await keyring.read(entry, signal), null);
  }));

test("a rotation is finished for a caller that gives up meanwhile", () =>
  withStore(async ({ store, again }) => {
    await write(store, record("1"));
    const caller = new AbortController();
    await store.locked(async (grants) => {
      const held = await grants.read(KEY) as GrantRecord;
      caller.abort();
      await grants.write(KEY, rotateGrant(held, { refreshToken: "second" }));
    }, caller.signal);
    assertEquals((await read(again()))?.refreshToken, "second");
  }));

test("a rotation that would not fit goes without its ID token; a sign-in is refused", () =>
  withStore(async ({ store, again }) => {
    await write(store, record("1"));
    const big = { refreshToken: "second", idToken: "x".repeat(2500), idTokenExpiresAt: 5 };
    await write(store, rotateGrant(record("1"), big));
    const { refreshToken, idToken, idTokenExpiresAt } = await read(again()) as GrantRecord;
    assertEquals([refreshToken, idToken, idTokenExpiresAt], ["second", null, null]);
    assertEquals(await refusedCode(() => write(store, record("2", big))), "GRANT_TOO_LARGE");
    assertEquals((await read(again()))?.generation, record("1").generation);
  }));

test("a sign-in that the keyring refuses leaves what was in force", () =>
  withStore(async ({ store, again, keyring }) => {
    for (const locked of [["write"], ["read"]] as const) {
      keyring.locked = locked;
      assertEquals(await refusedCode(() => write(store, record("1"))), "KEYRING_LOCKED");
      assertEquals(await store.marker(), null);
    }
    keyring.locked = [];
    await write(store, record("1"));
    keyring.locked = ["write"];
    assertEquals(await refusedCode(() => write(store, record("2"))), "KEYRING_LOCKED");
    keyring.locked = [];
    assertEquals((await store.marker())?.generation, record("1").generation);
    assertEquals(await read(again()), record("1"));
  }));

test("a damaged marker makes nothing of the keyring usable by itself; a sign-in repairs it", () =>
  withStore(async ({ store, folder, keyring }) => {
    await write(store, record("1"));
    await writeFile(`${folder}/${PROVIDER_KEY}.json`, "{");
    assertEquals(await refusedCode(() => store.marker()), "MARKER_MALFORMED");
    assertEquals(
      await refusedCode(() => store.locked((grants) => grants.marker(), signal)),
      "MARKER_MALFORMED",
    );
    keyring.take();
    await read(store);
    assertEquals(keyring.take(), "read");
    assertEquals(await refusedCode(() => store.marker()), "MARKER_MALFORMED");
    await write(store, record("2"));
    assertEquals((await store.marker())?.generation, record("2").generation);
  }));

test("a marker that is gone is made anew from the item", () =>
  withStore(async ({ store, again, folder }) => {
    await write(store, record("1", { revision: 0 }));
    const { rm } = await import("node:fs/promises");
    await rm(folder, { recursive: true });
    assertEquals(await read(again()), record("1"));
    assertEquals((await store.marker())?.generation, record("1").generation);
  }));

test("a deletion is seen by whoever remembers, and a sign-out too", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    const other = again();
    await read(other);
    assertEquals(await store.locked((grants) => grants.remove(KEY), signal), true);
    assertEquals(await read(other), null);
    assertEquals((await other.marker())?.generation, record("1").generation);
    await store.locked((grants) => grants.signOut(GENERATION), signal);
    assertEquals(await other.marker(), { current: null, generation: GENERATION, revision: 0 });
    assertEquals(await store.locked((grants) => grants.remove(KEY), signal), false);
    assertEquals(await keyring.read(entry, signal), null);
  }));

test("what is deleted is void for everyone, also when the keyring refuses or another account is current", () =>
  withStore(async ({ store, again, keyring }) => {
    await write(store, record("1"));
    keyring.locked = ["delete"];
    const remove = () => store.locked((grants) => grants.remove(KEY), signal);
    assertEquals(await refusedCode(remove), "KEYRING_LOCKED");
    keyring.locked = [];
    for (const one of [store, again()]) assertEquals(await read(one), null);
    await write(store, record("2"));
    assertEquals(await read(again()), record("2"));
    await write(store, record("3"), OTHER_KEY);
    const before = await store.marker();
    await remove();
    await read(again(), OTHER_KEY); // the current account's own look mends nothing
    const now = await store.marker();
    assert(before !== null && now !== null);
    assertEquals([compareMarker(before, now), now.voided], ["replaced", undefined]);
  }));

test("an item that is no grant is told, can be replaced, and can be deleted", () =>
  withStore(async ({ store, keyring }) => {
    const later = writeGrant(record("1")).replace('"version":1', '"version":2');
    for (
      const [secret, code] of [["no grant", "GRANT_MALFORMED"], [later, "GRANT_VERSION_UNSUPPORTED"]] as const
    ) {
      await keyring.write(entry, { secret, signal });
      const error = await refused(() => read(store));
      assertEquals(error.code, code);
      assert(!`${error.stack}${JSON.stringify(error)}`.includes("no grant"));
      assertEquals(await store.locked((grants) => grants.remove(KEY), signal), true);
      await keyring.write(entry, { secret, signal });
      await write(store, record("3"));
      assertEquals(await read(store), record("3"));
      await store.locked((grants) => grants.remove(KEY), signal);
    }
  }));

test("a marker that can neither be written nor taken away does not cost the rotated token", () =>
  withStore(async ({ store, again, folder, keyring }) => {
    await write(store, record("1"));
    const marker = `${folder}/${PROVIDER_KEY}.json`;
    const { mkdir, rm } = await import("node:fs/promises");
    await store.locked(async (grants) => {
      const held = await grants.read(KEY) as GrantRecord;
      await rm(marker);
      await mkdir(`${marker}/in the way`, { recursive: true });
      const code = await refusedCode(() => grants.write(KEY, rotateGrant(held, { refreshToken: "second" })));
      assertEquals(code, "MARKER_MALFORMED");
    }, signal);
    assert((await keyring.read(entry, signal))?.includes("second"));
    await rm(marker, { recursive: true });
    assertEquals((await read(again()))?.refreshToken, "second");
  }));

test("grants are of no use once the lock is let go", () =>
  withStore(async ({ store, folder }) => {
    await write(store, record("1"));
    const grants = await store.locked((held) => Promise.resolve(held), signal);
    const attempts = [
      () => grants.read(KEY),
      () => grants.write(KEY, record("2")),
      () => grants.remove(KEY),
      () => grants.signOut(GENERATION),
    ];
    for (const attempt of attempts) assertEquals(await refusedCode(attempt), "SUPERSEDED");
    assertEquals((await store.marker())?.current, KEY);
    await chmod(folder, 0o755);
    await read(store);
    assertEquals((await stat(folder)).mode & 0o777, 0o700);
  }));
