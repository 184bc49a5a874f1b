import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { unlessAborted } from "../../../adapters/async/unless_aborted.ts";

const never = (): Promise<never> => new Promise(() => {});

test("what the work gives or throws comes through, with a signal and without", async () => {
  const { signal } = new AbortController();
  assertEquals(await unlessAborted(() => Promise.resolve(1), undefined), 1);
  assertEquals(await unlessAborted(() => Promise.resolve(2), signal), 2);
  for (const one of [signal, undefined]) {
    await assertRejects(
      () => unlessAborted(() => Promise.reject(new Error("its own")), one),
      Error,
      "its own",
    );
  }
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

test("one who gives up is told what the caller says, before and meanwhile", async () => {
  const error = (): Error => new Error("gave up");
  await assertRejects(() => unlessAborted(never, AbortSignal.abort(), { error }), Error, "gave up");
  const controller = new AbortController();
  const waiting = unlessAborted(never, controller.signal, { error });
  controller.abort(new Error("over"));
  await assertRejects(() => waiting, Error, "gave up");
});

test("work that fails after its end is nobody's error", async () => {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, fail) => reject = fail);
  const controller = new AbortController();
  const waiting = unlessAborted(() => promise, controller.signal);
  controller.abort(new Error("over"));
  await assertRejects(() => waiting, Error, "over");
  reject(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 0)); // an unhandled rejection would end the test here
});
