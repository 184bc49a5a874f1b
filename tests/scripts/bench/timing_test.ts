import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { median, medianDifference, timeInTurn, timeTogether } from "../../../scripts/bench/timing.ts";

test("the median is the middle, or the mean of the two in the middle", () => {
  assertEquals([median([3, 1, 2]), median([4, 1, 3, 2]), median([7])], [2, 2.5, 7]);
  const given = [3, 1, 2];
  median(given);
  assertEquals(given, [3, 1, 2]);
});

test("a difference is that of pairs: what slows both does not count", () => {
  assertEquals(medianDifference([11, 101, 12], [10, 100, 11]), 1);
});

test("sides run in turn, another one first each time, and rounds to get warm do not count", async () => {
  const order: string[] = [];
  const side = (name: string) => () => Promise.resolve(void order.push(name));
  const times = await timeInTurn({ a: side("a"), b: side("b"), c: side("c") }, { rounds: 2, warmUp: 1 });
  assertEquals(order.join(""), "abcbcacab");
  assertEquals([times.a.length, times.b.length, times.c.length], [2, 2, 2]);
  assert(times.a.every((milliseconds) => milliseconds >= 0));
});

test("functions are timed together, each by its own name", () => {
  const { slow, fast } = timeTogether({
    slow: () => Array.from({ length: 2_000 }, (_, index) => index).join(),
    fast: () => 1,
  }, 3);
  assert(slow > fast);
});
