import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { MemoryLeaseStore } from "../../../../adapters/http/leases/memory_lease_store.ts";
import { createClock } from "../../../../adapters/http/transport/clock.ts";
import { testLeaseStore } from "../../../contracts/lease_store.ts";

const shared = new MemoryLeaseStore({ clock: createClock() });
testLeaseStore("memory", () => Promise.resolve(shared));

test("a store in memory keeps no more than it may, and the oldest goes first", async () => {
  const { signal } = new AbortController();
  const store = new MemoryLeaseStore({ clock: { now: () => 0 }, size: 2 });
  for (const name of ["a", "b", "c"]) {
    await store.change(name, { expected: null, next: name, seconds: 1 }, signal);
  }
  assertEquals(await Promise.all(["a", "b", "c"].map((name) => store.read(name, signal))), [null, "b", "c"]);
});
