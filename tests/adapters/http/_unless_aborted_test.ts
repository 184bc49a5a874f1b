import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { unlessAborted } from "../../../adapters/http/_unless_aborted.ts";

const never = (): Promise<never> => new Promise(() => {});

test("what the work gives or throws comes through", async () => {
  const { signal } = new AbortController();
  assertEquals(await unlessAborted(() => Promise.resolve(1), signal), 1);
  await assertRejects(
    () => unlessAborted(() => Promise.reject(new Error("broken")), signal),
    Error,
    "broken",
  );
});

test("the signal ends the waiting with its reason, and nothing is begun after it", async () => {
  const controller = new AbortController();
  const waiting = unlessAborted(never, controller.signal);
  controller.abort(new Error("over"));
  await assertRejects(() => waiting, Error, "over");
  let begun = 0;
  const work = (): Promise<number> => Promise.resolve(begun += 1);
  await assertRejects(() => unlessAborted(work, controller.signal), Error, "over");
  assertEquals(begun, 0);
});

test("work that fails after its end is nobody's error", async () => {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, fail) => reject = fail);
  const controller = new AbortController();
  const waiting = unlessAborted(() => promise, controller.signal);
  controller.abort(new Error("over"));
  await assertRejects(() => waiting, Error, "over");
  reject(new Error("late"));
  await promise.catch(() => undefined);
});
