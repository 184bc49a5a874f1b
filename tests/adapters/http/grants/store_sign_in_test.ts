import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";
import type { GrantSource, LockedGrants } from "../../../../adapters/http/grants/grant_source.ts";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import {
  commitSignIn,
  currentSignIn,
  readBeforeSignIn,
  recordOf,
  signOut,
} from "../../../../adapters/http/grants/store_sign_in.ts";
import type { SignedIn } from "../../../../adapters/http/sign_in/id_token.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { grantKey } from "../../../../core/enterprise/grant/key.ts";
import { ISSUER, NOW, providerOf } from "../sign_in/fake_provider.ts";

const { signal } = new AbortController();
const digest = createDigest();
const PROBE = "0".repeat(64);

function signedIn(user: string, changes: Partial<SignedIn> = {}): SignedIn {
  return {
    identity: {
      issuer: ISSUER,
      subject: user,
      audiences: ["client-1"],
      authorizedParty: null,
      expiresAt: NOW + 600,
    },
    owner: { user, workspace: null },
    name: user,
    idToken: `id-${user}`,
    refreshToken: `refresh-${user}`,
    ...changes,
  };
}

function keyOf(user: string): Promise<string> {
  return grantKey({ owner: { user, workspace: null }, issuer: ISSUER, clientId: "client-1" }, digest);
}

function options(began: Awaited<ReturnType<typeof readBeforeSignIn>>["current"]) {
  return { provider: providerOf(), began, digest, now: NOW + 0.5, signal };
}

test("a sign-in is stored under its account, as a new generation each time", async () => {
  const grants = new MemoryGrantSource();
  const before = await readBeforeSignIn(grants, { probe: PROBE, signal });
  assertEquals(before, { current: null, record: null });
  const first = await commitSignIn(grants, signedIn("a"), options(before.current));
  assertEquals([first.user, first.revision, first.signedInAt, first.idTokenExpiresAt], [
    "a",
    0,
    NOW,
    NOW + 600,
  ]);
  const again = await readBeforeSignIn(grants, { probe: PROBE, signal });
  assertEquals(again.record, first);
  const second = await commitSignIn(grants, signedIn("a"), options(again.current));
  assertNotEquals(second.generation, first.generation);
  assertEquals(await grants.marker(), {
    current: await keyOf("a"),
    generation: second.generation,
    revision: 0,
  });
});

test("another account's grant stays where it is", async () => {
  const grants = new MemoryGrantSource();
  const first = await commitSignIn(grants, signedIn("a"), options(null));
  await commitSignIn(grants, signedIn("b"), options(await grants.marker()));
  assertEquals((await grants.marker())?.current, await keyOf("b"));
  assertEquals(await grants.locked(async (held) => await held.read(await keyOf("a")), signal), first);
});

test("a sign-in that was overtaken is not stored, and one that is too large is not even begun", async () => {
  const grants = new MemoryGrantSource();
  const began = (await readBeforeSignIn(grants, { probe: PROBE, signal })).current;
  const winner = await commitSignIn(grants, signedIn("a"), options(began));
  const late = await assertRejects(
    () => commitSignIn(grants, signedIn("b"), options(began)),
    EnterpriseError,
  );
  assertEquals([late.code, (await grants.marker())?.generation], ["SUPERSEDED", winner.generation]);
  const large = signedIn("a", { idToken: "x".repeat(2560) });
  const locked = (): never => assert(false, "the lock was taken") as never;
  const never: GrantSource = { owned: true, marker: () => grants.marker(), locked };
  const error = await assertRejects(() => commitSignIn(never, large, options(null)), EnterpriseError);
  assertEquals(error.code, "GRANT_TOO_LARGE");
});

test("a rotation in between is no other sign-in", async () => {
  const grants = new MemoryGrantSource();
  const first = await commitSignIn(grants, signedIn("a"), options(null));
  const began = await grants.marker();
  await grants.locked(async (held) => await held.write(await keyOf("a"), { ...first, revision: 1 }), signal);
  await commitSignIn(grants, signedIn("a"), options(began));
});

test("a host's own name of the account counts", () => {
  const owner = { user: "host-user", workspace: "host-workspace" };
  const record = recordOf(signedIn("a"), { provider: providerOf(), owner, now: NOW });
  assertEquals([record.user, record.workspace, record.subject], ["host-user", "host-workspace", "a"]);
});

test("a sign-out deletes, is seen by others, and has nothing to do the second time", async () => {
  const grants = new MemoryGrantSource();
  const nothing = { key: null, records: [], deleted: false, fault: null };
  assertEquals(await signOut(grants, signal), nothing);
  assertEquals(await grants.marker(), null);
  const record = await commitSignIn(grants, signedIn("a"), options(null));
  const done = { key: await keyOf("a"), records: [record], deleted: true, fault: null };
  assertEquals(await signOut(grants, signal), done);
  const marker = await grants.marker();
  assertEquals(marker?.current, null);
  assertNotEquals(marker?.generation, record.generation);
  assertEquals(await signOut(grants, signal), nothing);
  assertEquals(await grants.marker(), marker);
});

/** The source, with what a lock gives changed. */
function changed(grants: GrantSource, change: (held: LockedGrants) => Partial<LockedGrants>): GrantSource {
  return {
    owned: true,
    marker: (one) => grants.marker(one),
    locked: (work, one) => grants.locked((held) => work({ ...held, ...change(held) }), one),
  };
}

test("what is damaged is replaced, what is locked is not touched before a sign-in", async () => {
  const grants = new MemoryGrantSource();
  await commitSignIn(grants, signedIn("a"), options(null));
  const fail = (code: "GRANT_MALFORMED" | "KEYRING_LOCKED" | "MARKER_MALFORMED") => (): Promise<never> =>
    Promise.reject(new EnterpriseError(code, "x"));
  const damaged = changed(grants, () => ({ read: fail("GRANT_MALFORMED") }));
  assertEquals((await readBeforeSignIn(damaged, { probe: PROBE, signal })).record, null);
  const locked = changed(grants, () => ({ read: fail("KEYRING_LOCKED") }));
  const before = await grants.marker();
  const look = (): Promise<unknown> => readBeforeSignIn(locked, { probe: PROBE, signal });
  assertEquals((await assertRejects(look, EnterpriseError)).code, "KEYRING_LOCKED");
  assertEquals(await grants.marker(), before);
  const unreadable: GrantSource = {
    ...changed(grants, () => ({ marker: fail("MARKER_MALFORMED") })),
    marker: fail("MARKER_MALFORMED"),
  };
  assertEquals(await currentSignIn(unreadable.marker(signal)), "damaged");
  assertEquals((await signOut(unreadable, signal)).key, await keyOf("a"));
});

test("a sign-out does not pass over what one before could not delete", async () => {
  const left: GrantSource = {
    owned: true,
    marker: () =>
      Promise.resolve({ current: null, generation: "01".repeat(16), revision: 0, voided: [PROBE] }),
    locked: () => Promise.reject(new EnterpriseError("LOCK_TIMEOUT", "it was looked for")),
  };
  assertEquals((await assertRejects(() => signOut(left, signal), EnterpriseError)).code, "LOCK_TIMEOUT");
});

test("before a first sign-in the keyring is tried, when that is asked for, and a stored grant is trial enough", async () => {
  const grants = new MemoryGrantSource();
  const tried: string[] = [];
  const source = changed(grants, () => ({ tryOut: (key) => Promise.resolve(void tried.push(key)) }));
  await readBeforeSignIn(source, { probe: PROBE, signal });
  assertEquals(tried, []);
  await readBeforeSignIn(source, { probe: PROBE, signal, tryOut: true });
  assertEquals(tried, [PROBE]);
  await commitSignIn(grants, signedIn("a"), options(null));
  await readBeforeSignIn(source, { probe: PROBE, signal, tryOut: true });
  assertEquals(tried, [PROBE]);
  await readBeforeSignIn(grants, { probe: PROBE, signal, tryOut: true });
});
