import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { unlessAborted } from "../../../../../adapters/mcp/host/connect/unless_aborted.ts";

test("the outcome of the work, with a signal and without", async () => {
  const { signal } = new AbortController();
  assertEquals(await unlessAborted(Promise.resolve(1), undefined), 1);
  assertEquals(await unlessAborted(Promise.resolve(2), signal), 2);
  await assertRejects(() => unlessAborted(Promise.reject(new Error("its own")), signal), Error, "its own");
});

test("the signal's reason, before and meanwhile; the work goes on, and may fail unheard", async () => {
  const reason = new Error("enough");
  await assertRejects(() => unlessAborted(new Promise(() => {}), AbortSignal.abort(reason)), Error, "enough");
  const controller = new AbortController();
  let fail: (error: Error) => void = () => {};
  const work = new Promise<never>((_resolve, reject) => fail = reject);
  const waiting = assertRejects(() => unlessAborted(work, controller.signal), Error, "enough");
  controller.abort(reason);
  await waiting;
  fail(new Error("unheard"));
  await new Promise((resolve) => setTimeout(resolve, 0));
});
