import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { MemoryGrantSource } from "../../../../../../adapters/http/grants/memory_grant_source.ts";
import { LaterGrantSource } from "../../../../../../adapters/mcp/host/enterprise/accounts/later_grant_source.ts";
import { EnterpriseError } from "../../../../../../core/enterprise/error.ts";
import { recordOf } from "../../../../http/fake_legs.ts";

const signal = (): AbortSignal => AbortSignal.timeout(5_000);

test("it is opened at the first use, once for all who come at once", async () => {
  let opened = 0;
  const source = new LaterGrantSource(() => {
    opened += 1;
    return Promise.resolve(new MemoryGrantSource());
  }, false);
  assertEquals([opened, source.owned], [0, false]);
  assertEquals(await Promise.all([source.marker(signal()), source.marker(signal())]), [null, null]);
  assertEquals([opened, source.owned], [1, true]);
  await source.locked((grants) => grants.write("a".repeat(64), recordOf()), signal());
  assertEquals((await source.marker(signal()))?.current, "a".repeat(64));
});

test("one that cannot be opened is tried again, and an error that is none of ours is not shown", async () => {
  const errors = [new EnterpriseError("KEYRING_LOCKED", "Cannot read"), new Error("a secret")];
  const source = new LaterGrantSource(() => {
    const error = errors.shift();
    return error === undefined ? Promise.resolve(new MemoryGrantSource()) : Promise.reject(error);
  }, true);
  assertEquals((await assertRejects(() => source.marker(signal()), EnterpriseError)).code, "KEYRING_LOCKED");
  const error = await assertRejects(() => source.locked(() => Promise.resolve(1), signal()), EnterpriseError);
  assertEquals(error.code, "KEYRING_ABSENT");
  assert(!`${error.message}${JSON.stringify(error.cause)}`.includes("a secret"));
  assertEquals(await source.marker(signal()), null);
});
