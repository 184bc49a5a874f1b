import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { SerialQueue } from "../../../adapters/async/serial_queue.ts";

test("work is done one after the other, whatever becomes of it", async () => {
  const turns = new SerialQueue();
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === "b") throw new Error("no");
    return name;
  };
  const [a, b, c] = [turns.take(work("a")), turns.take(work("b")), turns.take(work("c"))];
  assertEquals([await a, await c], ["a", "c"]);
  await assertRejects(() => b, Error, "no");
  assertEquals(seen, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("idle waits for what comes meanwhile too", async () => {
  const turns = new SerialQueue();
  let done = false;
  void turns.take(() => {
    void turns.take(async () => {
      await Promise.resolve();
      done = true;
    });
    return Promise.resolve();
  });
  await turns.idle();
  assertEquals(done, true);
});
