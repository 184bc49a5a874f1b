import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Lanes, lanesOfMachine } from "../../../scripts/suites/lanes.ts";

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

test("what runs aside takes no lane, two at a time, and nothing runs alone meanwhile", async () => {
  const [lanes, work] = [new Lanes(1), new Work()];
  const all = [
    ...["a", "b", "c"].map((name) => lanes.aside(work.start(name))),
    lanes.alone(work.start("x")),
    ...["k", "l"].map((name) => lanes.run(work.start(name))),
  ];
  await settled();
  assertEquals([...work.begun].sort(), ["a", "b", "k"]);
  await work.end("k");
  await work.end("l");
  assertEquals([...work.begun].sort(), ["a", "b", "k", "l"]);
  await work.end("a");
  await work.end("b");
  assertEquals(work.begun.at(-1), "c");
  all.push(lanes.aside(work.start("d")));
  await work.end("c");
  assertEquals(work.begun.at(-1), "d");
  await work.end("d");
  assertEquals(work.begun.at(-1), "x");
  all.push(lanes.aside(work.start("e")));
  await settled();
  assertEquals(work.begun.at(-1), "x");
  await work.end("x");
  await work.end("e");
  assertEquals(await Promise.all(all), ["a", "b", "c", "x", "k", "l", "d", "e"]);
});

test("work that fails leaves its lane", async () => {
  const lanes = new Lanes(1);
  const failing = () => Promise.reject(new Error("no"));
  await assertRejects(() => lanes.run(failing), Error, "no");
  await assertRejects(() => lanes.aside(failing), Error, "no");
  await assertRejects(() => lanes.alone(failing), Error, "no");
  assertEquals(await lanes.run(() => Promise.resolve(1)), 1);
});

test("a machine has three lanes at least", async () => {
  const [lanes, work] = [lanesOfMachine(), new Work()];
  const all = ["a", "b", "c"].map((name) => lanes.run(work.start(name)));
  await settled();
  assert(work.begun.length === 3);
  for (const name of work.begun) await work.end(name);
  await Promise.all(all);
});
