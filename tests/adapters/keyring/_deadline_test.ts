import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { rest, within } from "../../../adapters/keyring/_deadline.ts";

const expired = (): Error => new RangeError("too late");

test("work that ends in time is what counts", async () => {
  const { signal } = new AbortController();
  assertEquals(await within(Promise.resolve(1), { signal, seconds: 60, expired }), 1);
  await assertRejects(
    () => within(Promise.reject(new TypeError("mine")), { signal, seconds: 60, expired }),
    TypeError,
  );
});

test("work that does not end is left behind, and its later failure is nobody's", async () => {
  const caller = new AbortController();
  let fail = (_: Error): void => undefined;
  const work = new Promise<never>((_, reject) => fail = reject);
  await assertRejects(() => within(work, { signal: caller.signal, seconds: 0.01, expired }), RangeError);
  const given = within(work, { signal: caller.signal, seconds: 60, expired });
  caller.abort();
  await assertRejects(() => given, RangeError);
  await assertRejects(() => within(work, { signal: caller.signal, seconds: 60, expired }), RangeError);
  fail(new Error("late"));
  await assertRejects(() => work, Error, "late");
});

test("a rest ends by itself or with the signal", async () => {
  await rest(0.001, new AbortController().signal);
  await rest(60, AbortSignal.abort());
  const caller = new AbortController();
  const resting = rest(60, caller.signal);
  caller.abort();
  await resting;
});
