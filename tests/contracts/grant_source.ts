/**
 * What every source of grants does that is ours to write to. Registers the cases for one implementation.
 *
 * @module
 */

import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { GrantSource, LockedGrants } from "../../adapters/http/grants/grant_source.ts";
import { EnterpriseError } from "../../core/enterprise/error.ts";
import { newGeneration } from "../../core/enterprise/grant/generation.ts";
import { type GrantRecord, rotateGrant } from "../../core/enterprise/grant/record.ts";

const ALICE = "a".repeat(64);
const BOB = "b".repeat(64);

function fresh(): string {
  return newGeneration(crypto.getRandomValues(new Uint8Array(16)));
}

function recordOf(user: string, changes: Partial<GrantRecord> = {}): GrantRecord {
  return {
    issuer: "https://idp.example",
    clientId: "codex",
    user,
    workspace: null,
    subject: user,
    generation: fresh(),
    revision: 0,
    refreshToken: `refresh-of-${user}`,
    idToken: null,
    idTokenExpiresAt: null,
    signedInAt: 1,
    others: {},
    ...changes,
  };
}

/**
 * Registers the contract of sources of grants, each case under `name`. `open` gives as many sources as processes would
 * have, over one place that is empty.
 */
export function testGrantSource(
  name: string,
  open: (count: number) => Promise<readonly GrantSource[]>,
): void {
  const signal = (): AbortSignal => AbortSignal.timeout(20_000);
  const locked = <Result>(
    source: GrantSource | undefined,
    work: (grants: LockedGrants) => Promise<Result>,
  ): Promise<Result> => {
    assert(source !== undefined);
    return source.locked(work, signal());
  };

  test(`${name}: begins with nobody`, async () => {
    const [source] = await open(1);
    assertEquals([source?.owned, await source?.marker(signal())], [true, null]);
    assertEquals(await locked(source, (grants) => grants.read(ALICE)), null);
    assertEquals(await locked(source, (grants) => grants.remove(ALICE)), false);
    const ended = await locked(source, (grants) => grants.endSignIn({ key: null, generation: fresh() }));
    assertEquals([ended.key, ended.records, ended.deleted, ended.fault], [null, [], false, null]);
  });

  test(`${name}: a sign-in is everyone's, and so is a rotation`, async () => {
    const [one, other] = await open(2);
    const record = recordOf("alice");
    await locked(one, (grants) => grants.write(ALICE, record));
    const { generation } = record;
    assertEquals(await other?.marker(signal()), { current: ALICE, generation, revision: 0 });
    assertEquals(await locked(other, (grants) => grants.read(ALICE)), record);
    const rotated = rotateGrant(record, { refreshToken: "rotated" });
    await locked(other, (grants) => grants.write(ALICE, rotated));
    assertEquals((await one?.marker(signal()))?.revision, 1);
    assertEquals(await locked(one, (grants) => grants.read(ALICE)), rotated);
  });

  test(`${name}: the account that signed in last is the current one, and a rotation of another changes nothing`, async () => {
    const [one, other] = await open(2);
    const [alice, bob] = [recordOf("alice"), recordOf("bob")];
    await locked(one, (grants) => grants.write(ALICE, alice));
    await locked(other, (grants) => grants.write(BOB, bob));
    await locked(one, (grants) => grants.write(ALICE, rotateGrant(alice, { refreshToken: "rotated" })));
    assertEquals((await other?.marker(signal()))?.current, BOB);
    assertEquals((await locked(other, (grants) => grants.read(ALICE)))?.refreshToken, "rotated");
  });

  test(`${name}: a sign-out is everyone's, gives the tokens to be revoked, and leaves nothing`, async () => {
    const [one, other] = await open(2);
    const record = recordOf("alice");
    await locked(one, (grants) => grants.write(ALICE, record));
    const generation = fresh();
    const ended = await locked(other, (grants) => grants.endSignIn({ key: null, generation }));
    assertEquals([ended.key, ended.records, ended.deleted, ended.fault], [ALICE, [record], true, null]);
    const marker = await one?.marker(signal());
    assertEquals([marker?.current, marker?.generation], [null, generation]);
    assertEquals(await locked(one, (grants) => grants.read(ALICE)), null);
  });

  test(`${name}: the end of one account's sign-in leaves another's in force, and is seen`, async () => {
    const [one, other] = await open(2);
    await locked(one, (grants) => grants.write(ALICE, recordOf("alice")));
    const bob = recordOf("bob");
    await locked(one, (grants) => grants.write(BOB, bob));
    const before = await one?.marker(signal());
    await locked(other, (grants) => grants.endSignIn({ key: ALICE, generation: fresh() }));
    const after = await one?.marker(signal());
    assertEquals([after?.current, after?.generation], [BOB, bob.generation]);
    assertNotEquals(after?.change, before?.change);
    assertEquals(await locked(one, (grants) => grants.read(ALICE)), null);
    assertEquals(await locked(one, (grants) => grants.read(BOB)), bob);
  });

  test(`${name}: a grant that is removed is seen, and its account stays the current one`, async () => {
    const [one, other] = await open(2);
    await locked(one, (grants) => grants.write(ALICE, recordOf("alice")));
    const before = await other?.marker(signal());
    assertEquals(await locked(one, (grants) => grants.remove(ALICE)), true);
    const after = await other?.marker(signal());
    assertEquals(after?.current, ALICE);
    assertNotEquals(after?.change, before?.change);
    assertEquals(await locked(other, (grants) => grants.read(ALICE)), null);
  });

  test(`${name}: nobody is signed in after that was written, and a new sign-in counts again`, async () => {
    const [one, other] = await open(2);
    await locked(one, (grants) => grants.write(ALICE, recordOf("alice")));
    const generation = fresh();
    await locked(one, (grants) => grants.signOut(generation));
    assertEquals((await other?.marker(signal()))?.generation, generation);
    assertEquals((await other?.marker(signal()))?.current, null);
    const again = recordOf("alice");
    await locked(other, (grants) => grants.write(ALICE, again));
    assertEquals(await locked(one, (grants) => grants.read(ALICE)), again);
    assertEquals((await one?.marker(signal()))?.generation, again.generation);
  });

  test(`${name}: a grant that is too large is refused, and what was there stays`, async () => {
    const [source] = await open(1);
    const record = recordOf("alice");
    await locked(source, (grants) => grants.write(ALICE, record));
    const large = recordOf("alice", { idToken: "x".repeat(4_000) });
    const error = await assertRejects(
      () => locked(source, (grants) => grants.write(ALICE, large)),
      EnterpriseError,
    );
    assertEquals(error.code, "GRANT_TOO_LARGE");
    assertEquals(await locked(source, (grants) => grants.read(ALICE)), record);
  });

  test(`${name}: one after the other works under the lock, and none loses what another wrote`, async () => {
    const sources = await open(3);
    await locked(sources[0], (grants) => grants.write(ALICE, recordOf("alice", { refreshToken: "0" })));
    let inside = 0;
    await Promise.all(Array.from({ length: 12 }, (_, index) =>
      locked(sources[index % 3], async (grants) => {
        inside += 1;
        assertEquals(inside, 1);
        const record = await grants.read(ALICE);
        assert(record !== null);
        await new Promise((resolve) => setTimeout(resolve, 1));
        const refreshToken = String(Number(record.refreshToken) + 1);
        await grants.write(ALICE, rotateGrant(record, { refreshToken }));
        inside -= 1;
      })));
    const last = await locked(sources[1], (grants) => grants.read(ALICE));
    assertEquals([last?.refreshToken, last?.revision], ["12", 12]);
  });

  test(`${name}: whoever gave up does not get the lock, and work that fails gives it back`, async () => {
    const [one, other] = await open(2);
    const error = await assertRejects(
      async () => await one?.locked(() => Promise.resolve(), AbortSignal.abort()),
      EnterpriseError,
    );
    assertEquals(error.code, "LOCK_TIMEOUT");
    await assertRejects(() => locked(one, () => Promise.reject(new RangeError("no"))), RangeError);
    assertEquals(await locked(other, () => Promise.resolve("mine")), "mine");
  });
}
