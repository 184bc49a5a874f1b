import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { type KnownLease, LeaseMemory } from "../../../../adapters/http/leases/lease_memory.ts";
import type { SharedLease } from "../../../../adapters/http/leases/shared_lease.ts";

const PLACE = { binding: "b", generation: "01".repeat(16) };

function lease(id: string, receivedAt: number, expiresAt: number): SharedLease {
  return { id, token: `token-${id}`, receivedAt, expiresAt };
}

function known(id: string, expiresAt: number): KnownLease {
  return { id, expiresAt, place: PLACE, server: "notes" };
}

const WANTED = { old: null, now: 100 };

test("the lease that is good for longest is taken, but not the old one", () => {
  const memory = new LeaseMemory();
  const all = [lease("a", 0, 200), lease("c", 50, 400), lease("b", 40, 300)];
  assertEquals(memory.choose(all, WANTED)?.id, "c");
  assertEquals(memory.choose(all, { ...WANTED, old: "c" })?.id, "b");
  assertEquals(memory.choose([], WANTED), null);
});

test("what has ended, nearly has, or comes from the future is not taken", () => {
  const memory = new LeaseMemory();
  const bad = [lease("a", 0, 99), lease("b", 0, 105), lease("c", 161, 300)];
  assertEquals(memory.choose(bad, WANTED), null);
  assertEquals(memory.choose([...bad, lease("d", 160, 300)], WANTED)?.id, "d"); // a clock that is ahead
  assertEquals(memory.choose([lease("e", 0, 106)], WANTED)?.id, "e");
});

test("what was dropped is never taken again, and given back to be taken away", () => {
  const memory = new LeaseMemory();
  memory.use("own", known("a", 300));
  assertEquals(memory.drop("own", { left: [], now: 100 }), known("a", 300));
  assertEquals([memory.isDropped("a"), memory.usedAs("own")], [true, undefined]);
  assertEquals(memory.choose([lease("a", 0, 300)], WANTED), null);
  assertEquals(memory.drop("own", { left: [], now: 100 }), null);
  assertEquals(memory.drop("never", { left: [], now: 100 }), null);
});

test("a lease that was replaced, or is at its end, is left where it is", () => {
  const memory = new LeaseMemory();
  memory.use("own", known("a", 300));
  assertEquals(memory.drop("own", { left: [{ server: "notes", binding: "b" }], now: 100 }), null);
  assertEquals(memory.isDropped("a"), true);
  assertEquals(memory.choose([lease("b", 50, 300)], WANTED)?.id, "b");
  memory.use("own", known("c", 300));
  assertEquals(memory.drop("own", { left: [], now: 300 }), null);
  assertEquals(memory.isDropped("c"), false);
});

test("another server's lease of the same binding does not take its place", () => {
  const memory = new LeaseMemory();
  memory.use("own", known("a", 300));
  assertEquals(memory.drop("own", { left: [{ server: "other", binding: "b" }], now: 100 })?.id, "a");
});

test("what is over is forgotten", () => {
  const memory = new LeaseMemory();
  memory.use("own", known("a", 300));
  memory.drop("own", { left: [], now: 100 });
  memory.drop("x", { left: [], now: 300 });
  assertEquals(memory.isDropped("a"), false);
});
