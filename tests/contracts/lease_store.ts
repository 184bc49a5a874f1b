/**
 * What every lease store does. Registers the cases for one implementation.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { LeaseStore } from "../../core/ports/lease_store.ts";

/** Registers the contract of the lease store port, each case under `name`. `open` gives the store; it may be shared. */
export function testLeaseStore(name: string, open: () => Promise<LeaseStore>): void {
  const { signal } = new AbortController();
  const fresh = (): string => crypto.randomUUID();

  test(`${name}: what is not there is null`, async () => {
    assertEquals(await (await open()).read(fresh(), signal), null);
  });

  test(`${name}: keeps what takes the place of nothing, and only then`, async () => {
    const store = await open();
    const one = fresh();
    assertEquals(await store.change(one, { expected: null, next: "a", seconds: 60 }, signal), true);
    assertEquals(await store.change(one, { expected: null, next: "b", seconds: 60 }, signal), false);
    assertEquals(await store.read(one, signal), "a");
  });

  test(`${name}: replaces and takes away exactly what is expected`, async () => {
    const store = await open();
    const one = fresh();
    await store.change(one, { expected: null, next: "a", seconds: 60 }, signal);
    assertEquals(await store.change(one, { expected: "x", next: "b", seconds: 60 }, signal), false);
    assertEquals(await store.change(one, { expected: "x", next: null }, signal), false);
    assertEquals(await store.change(one, { expected: "a", next: "b", seconds: 60 }, signal), true);
    assertEquals(await store.read(one, signal), "b");
    assertEquals(await store.change(one, { expected: "b", next: null }, signal), true);
    assertEquals(await store.read(one, signal), null);
  });

  test(`${name}: nothing can be expected where nothing is`, async () => {
    const store = await open();
    const one = fresh();
    assertEquals(await store.change(one, { expected: "a", next: "b", seconds: 60 }, signal), false);
    assertEquals(await store.change(one, { expected: "a", next: null }, signal), false);
    assertEquals(await store.change(one, { expected: "", next: "b", seconds: 60 }, signal), false);
    assertEquals(await store.read(one, signal), null);
  });

  test(`${name}: a text ends with its time, also one that took another's place`, async () => {
    const store = await open();
    const [one, other, third] = [fresh(), fresh(), fresh()];
    await store.change(one, { expected: null, next: "a", seconds: 0.05 }, signal);
    await store.change(other, { expected: null, next: "a", seconds: 60 }, signal);
    await store.change(other, { expected: "a", next: "b", seconds: 0.05 }, signal);
    await store.change(third, { expected: null, next: "a", seconds: 0.05 }, signal);
    await store.change(third, { expected: "a", next: "b", seconds: 60 }, signal);
    await wait(120);
    const left = await Promise.all([one, other, third].map((each) => store.read(each, signal)));
    assertEquals(left, [null, null, "b"]);
    assertEquals(await store.change(one, { expected: null, next: "b", seconds: 60 }, signal), true);
  });

  test(`${name}: gives back exactly what was kept, 64 KiB and every character`, async () => {
    const store = await open();
    for (const text of ["x".repeat(65_536), "\u0000\n\r\"'ü\u{1f511}", "*1\r\n$4\r\nPING\r\n", " "]) {
      const one = fresh();
      await store.change(one, { expected: null, next: text, seconds: 60 }, signal);
      assertEquals(await store.read(one, signal), text);
      assertEquals(await store.change(one, { expected: text, next: null }, signal), true);
    }
  });

  test(`${name}: of many who expect the same, one changes it`, async () => {
    const store = await open();
    const one = fresh();
    const all = Array.from({ length: 50 }, (_, index) => `${index}`);
    const first = await Promise.all(
      all.map((next) => store.change(one, { expected: null, next, seconds: 60 }, signal)),
    );
    assertEquals(first.filter(Boolean).length, 1);
    const expected = await store.read(one, signal);
    assert(expected !== null && first[Number(expected)]);
    const second = await Promise.all(
      all.map((next) => store.change(one, { expected, next: `${next}!`, seconds: 60 }, signal)),
    );
    assertEquals(second.filter(Boolean).length, 1);
    assert(second[Number((await store.read(one, signal))?.slice(0, -1))]);
  });

  test(`${name}: does nothing for a caller that gave up`, async () => {
    const store = await open();
    const one = fresh();
    const given = AbortSignal.abort(new RangeError("gave up"));
    await assertRejects(() => store.read(one, given), RangeError);
    await assertRejects(
      () => store.change(one, { expected: null, next: "a", seconds: 60 }, given),
      RangeError,
    );
    assertEquals(await store.read(one, signal), null);
  });
}
