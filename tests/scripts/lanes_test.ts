import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Lanes, lanesOfMachine } from "../../scripts/lanes.ts";

/** Work that is at work until it is told to stop. */
class Work {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  start(name: string): () => Promise<string> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve) => this.#ends.set(name, () => resolve(name)));
    };
  }

  /** Ends the work of this name, and lets happen what follows from it. */
  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

test("no more than there are lanes run at a time, and what came first goes first", async () => {
  const [lanes, work] = [new Lanes(2), new Work()];
  const all = ["a", "b", "c", "d"].map((name) => lanes.run(work.start(name)));
  await settled();
  assertEquals(work.begun, ["a", "b"]);
  await work.end("b");
  assertEquals(work.begun, ["a", "b", "c"]);
  await work.end("a");
  await work.end("c");
  await work.end("d");
  assertEquals(await Promise.all(all), ["a", "b", "c", "d"]);
});

test("what runs alone begins when nothing runs or waits, and lets nothing begin meanwhile", async () => {
  const [lanes, work] = [new Lanes(2), new Work()];
  const all = [lanes.alone(work.start("x")), lanes.run(work.start("a")), lanes.alone(work.start("y"))];
  await settled();
  assertEquals(work.begun, ["a"]);
  all.push(lanes.run(work.start("b")));
  await work.end("a");
  assertEquals(work.begun, ["a", "b"]);
  await work.end("b");
  assertEquals(work.begun, ["a", "b", "x"]);
  all.push(lanes.run(work.start("c")), lanes.run(work.start("d")));
  await settled();
  assertEquals(work.begun, ["a", "b", "x"]);
  await work.end("x");
  assertEquals(work.begun, ["a", "b", "x", "c", "d"]);
  for (const name of ["c", "d", "y"]) await work.end(name);
  assertEquals(await Promise.all(all), ["x", "a", "y", "b", "c", "d"]);
});

test("work that fails leaves its lane", async () => {
  const lanes = new Lanes(1);
  const failing = () => Promise.reject(new Error("no"));
  await assertRejects(() => lanes.run(failing), Error, "no");
  await assertRejects(() => lanes.alone(failing), Error, "no");
  assertEquals(await lanes.run(() => Promise.resolve(1)), 1);
});

test("a machine has two lanes at least", async () => {
  const [lanes, work] = [lanesOfMachine(), new Work()];
  const all = ["a", "b"].map((name) => lanes.run(work.start(name)));
  await settled();
  assert(work.begun.length === 2);
  for (const name of work.begun) await work.end(name);
  await Promise.all(all);
});
