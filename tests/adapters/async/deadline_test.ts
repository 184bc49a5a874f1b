/**
 * Signals that follow others, and work that is ended after a time.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { withinSeconds } from "../../../adapters/async/deadline.ts";
import { noSignal } from "../http/answers.ts";

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

test("work is ended after its seconds, and with its signal", async () => {
  const late = await assertRejects(
    () => withinSeconds(untilAborted, { seconds: 0.001, signal: noSignal() }),
    DOMException,
  );
  assertEquals(late.name, "TimeoutError");
  const controller = new AbortController();
  const reason = new Error("enough");
  const pending = withinSeconds(untilAborted, { seconds: 10 ** 9, signal: controller.signal });
  controller.abort(reason);
  assertEquals(await assertRejects(() => pending), reason);
});

test("what the work gives comes through", async () => {
  const options = { seconds: 10, signal: noSignal() };
  assertEquals(await withinSeconds(() => Promise.resolve(7), options), 7);
  const error = new Error("x");
  assertEquals(await assertRejects(() => withinSeconds(() => Promise.reject(error), options)), error);
});
