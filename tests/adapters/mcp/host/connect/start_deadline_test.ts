import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { StartDeadline } from "../../../../../adapters/mcp/host/connect/start_deadline.ts";

const never = new AbortController().signal;

test("work in time gives its outcome, and the time runs down", async () => {
  const deadline = new StartDeadline(60_000, never);
  assertEquals(await deadline.race(Promise.resolve("done")), "done");
  await assertRejects(() => deadline.race(Promise.reject(new Error("its own"))), Error, "its own");
  const before = deadline.remainingMs;
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert(deadline.remainingMs < before && deadline.remainingMs > 0);
  deadline.stop();
  assertEquals(deadline.signal.aborted, false);
});

test("when the time is over, work is let go", async () => {
  const deadline = new StartDeadline(20, never);
  assertEquals(await deadline.race(new Promise(() => {})), undefined);
  assertEquals([deadline.signal.aborted, deadline.remainingMs], [true, 0]);
  assertEquals(await deadline.race(new Promise(() => {})), undefined);
  deadline.stop();
});

test("another signal ends the time early", async () => {
  const controller = new AbortController();
  const deadline = new StartDeadline(60_000, controller.signal);
  const racing = deadline.race(new Promise(() => {}));
  controller.abort();
  assertEquals([await racing, deadline.remainingMs], [undefined, 0]);
  deadline.stop();
  const late = new StartDeadline(60_000, AbortSignal.abort());
  assertEquals(late.signal.aborted, true);
  late.stop();
});
