import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { inspect } from "node:util";
import { MemoryGrantSource } from "../../../../adapters/http/grants/memory_grant_source.ts";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { isGeneration } from "../../../../core/enterprise/grant/generation.ts";
import { recordOf } from "../fake_legs.ts";

const KEY = "a".repeat(64);
const signal = new AbortController().signal;

test("a grant and its marker are kept together, and a sign-out is seen", async () => {
  const source = new MemoryGrantSource();
  assertEquals([source.owned, await source.marker()], [true, null]);
  await source.locked((grants) => grants.write(KEY, recordOf({ revision: 3 })), signal);
  assertEquals(await source.marker(), { current: KEY, generation: "01".repeat(16), revision: 3 });
  assertEquals(await source.locked((grants) => grants.read(KEY), signal), recordOf({ revision: 3 }));
  assertEquals(await source.locked((grants) => grants.read("b".repeat(64)), signal), null);
  assertEquals(await source.locked((grants) => grants.remove(KEY), signal), true);
  assertEquals(await source.locked((grants) => grants.remove(KEY), signal), false);
  const { change = "", ...marker } = await source.marker() ?? {};
  assertEquals(marker, { current: KEY, generation: "01".repeat(16), revision: 3 });
  assert(isGeneration(change), "nobody notices that it was deleted");
  await source.locked((grants) => grants.signOut("02".repeat(16)), signal);
  assertEquals(await source.marker(), { current: null, generation: "02".repeat(16), revision: 0 });
});

test("a rotation leaves another account's sign-in, and a sign-out, in force", async () => {
  const source = new MemoryGrantSource();
  const other = "b".repeat(64);
  await source.locked(async (grants) => {
    await grants.write(other, recordOf());
    await grants.write(KEY, recordOf({ generation: "02".repeat(16) }));
    await grants.write(other, recordOf({ revision: 1, refreshToken: "second" }));
    assertEquals((await grants.read(other))?.refreshToken, "second");
    assertEquals(await grants.marker(), { current: KEY, generation: "02".repeat(16), revision: 0 });
    await grants.signOut("03".repeat(16));
    await grants.write(other, recordOf({ revision: 2 }));
    assertEquals(await grants.marker(), { current: null, generation: "03".repeat(16), revision: 0 });
  }, signal);
});

test("a sign-in that is ended is gone, and another account's is not", async () => {
  const source = new MemoryGrantSource();
  const other = "b".repeat(64);
  const generation = "03".repeat(16);
  await source.locked(async (grants) => {
    await grants.write(other, recordOf());
    await grants.write(KEY, recordOf());
    const ended = { key: other, records: [recordOf()], deleted: true, fault: null };
    assertEquals(await grants.endSignIn({ key: other, generation }), ended);
    assertEquals([await grants.read(other), (await grants.marker())?.current], [null, KEY]);
    assertEquals(await grants.endSignIn({ key: null, generation }), { ...ended, key: KEY });
    assertEquals(await grants.marker(), { current: null, generation, revision: 0 });
    const nobody = { key: null, records: [], deleted: false, fault: null };
    assertEquals(await grants.endSignIn({ key: null, generation }), nobody);
  }, signal);
});

test("work under the lock does not overlap, and one that gave up is not begun", async () => {
  const source = new MemoryGrantSource();
  const order: string[] = [];
  const first = source.locked(async () => {
    order.push("first begins");
    await Promise.resolve();
    order.push("first ends");
  }, signal);
  const second = source.locked(() => Promise.resolve(order.push("second")), signal);
  const error = await assertRejects(
    () => source.locked(() => Promise.resolve(), AbortSignal.abort()),
    EnterpriseError,
  );
  assertEquals(error.code, "LOCK_TIMEOUT");
  await Promise.all([first, second]);
  assertEquals(order, ["first begins", "first ends", "second"]);
});

test("a grant that is too large is refused, and nothing shows a token", async () => {
  const source = new MemoryGrantSource();
  const large = recordOf({ idToken: "x".repeat(3_000) });
  const error = await assertRejects(
    () => source.locked((grants) => grants.write(KEY, large), signal),
    EnterpriseError,
  );
  assertEquals([error.code, await source.marker()], ["GRANT_TOO_LARGE", null]);
  await source.locked((grants) => grants.write(KEY, recordOf()), signal);
  assert(!inspect(source, { depth: 9, showHidden: true }).includes("refresh-0"));
});
