import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { Flights } from "../../../adapters/catalog/flights.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { type Later, later } from "./_entries.ts";

/** Work that ends when it is told to. */
function held(): {
  work: (signal: AbortSignal) => Promise<string>;
  begun: AbortSignal[];
  end: Later<string>;
} {
  const end = later<string>();
  const begun: AbortSignal[] = [];
  return { work: (signal) => (begun.push(signal), end.promise), begun, end };
}

test("who comes while it is under way joins, who comes later begins anew", async () => {
  const flights = new Flights<string>();
  const { work, begun, end } = held();
  const waiting = [flights.join("a", { work }), flights.join("a", { work }), flights.join("b", { work })];
  assertEquals(begun.length, 2);
  end.resolve("done");
  assertEquals(await Promise.all(waiting), ["done", "done", "done"]);
  assertEquals(await flights.join("a", { work: () => Promise.resolve("again") }), "again");
  assertEquals(begun.map(({ aborted }) => aborted), [false, false], "work that is over is not aborted");
});

test("each one gets the error, and it is not remembered", async () => {
  const flights = new Flights<string>();
  const fails = () => Promise.reject(new Error("down"));
  const waiting = [flights.join("a", { work: fails }), flights.join("a", { work: fails })];
  for (const one of waiting) await assertRejects(() => one, Error, "down");
  const throws = (): Promise<string> => {
    throw new Error("at once");
  };
  await assertRejects(() => flights.join("a", { work: throws }), Error, "at once");
  assertEquals(await flights.join("a", { work: () => Promise.resolve("up") }), "up");
});

test("one who gives up leaves the others; the last one ends the work, and the next begins anew", async () => {
  const flights = new Flights<string>();
  const { work, begun, end } = held();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = refusedCode(() => flights.join("a", { work, signal: one.signal }));
  const second = refusedCode(() => flights.join("a", { work, signal: two.signal }));
  one.abort();
  assertEquals(await first, "CALL_CANCELLED");
  assertEquals(begun.map(({ aborted }) => aborted), [false]);
  two.abort();
  assertEquals(await second, "CALL_CANCELLED");
  assertEquals(begun.map(({ aborted }) => aborted), [true]);
  const third = flights.join("a", { work });
  assertEquals(begun.length, 2);
  end.resolve("done");
  assertEquals(await third, "done");
});

test("one who gave up before begins nothing", async () => {
  const flights = new Flights<string>();
  const { work, begun } = held();
  assertEquals(
    await refusedCode(() => flights.join("a", { work, signal: AbortSignal.abort() })),
    "CALL_CANCELLED",
  );
  assertEquals(begun, []);
});

test("work that is let be still serves those who wait, and nobody else", async () => {
  const flights = new Flights<string>();
  const [old, fresh] = [held(), held()];
  const before = flights.join("a", { work: old.work });
  flights.detach("a");
  const after = flights.join("a", { work: fresh.work });
  old.end.resolve("old");
  assertEquals(await before, "old");
  const joined = flights.join("a", { work: () => Promise.resolve("never") });
  fresh.end.resolve("fresh");
  assertEquals([await after, await joined], ["fresh", "fresh"]);
});

test("nobody who waits for work that fails after all gave up is left with an unhandled error", async () => {
  const flights = new Flights<string>();
  const { work, end } = held();
  const controller = new AbortController();
  const waiting = refusedCode(() => flights.join("a", { work, signal: controller.signal }));
  controller.abort();
  assertEquals(await waiting, "CALL_CANCELLED");
  end.reject(new Error("nobody listens"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert(true, "an unhandled rejection would have failed the test");
});
