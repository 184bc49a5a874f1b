import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { LONGEST_DELAY_MS } from "../../../adapters/async/longest_delay.ts";

test("a timer waits that long, and no millisecond longer", async () => {
  const fires = (delay: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), delay);
      setTimeout(() => (clearTimeout(timer), resolve(false)), 30);
    });
  assertEquals(await fires(LONGEST_DELAY_MS), false);
  assertEquals(await fires(LONGEST_DELAY_MS + 1), true);
});
