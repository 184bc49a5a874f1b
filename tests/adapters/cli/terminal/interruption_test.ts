import { test } from "node:test";
import process from "node:process";
import { assertEquals, assertRejects } from "@std/assert";
import { InterruptedError, interruptible } from "../../../../adapters/cli/terminal/interruption.ts";

test("work that is not interrupted is what it is", async () => {
  assertEquals(await interruptible(() => Promise.resolve(7)), 7);
  await assertRejects(() => interruptible(() => Promise.reject(new TypeError("own"))), TypeError, "own");
});

test("a signal aborts the work, and says so once the work has ended", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    let ended = false;
    const before = process.listenerCount(signal);
    const work = async (aborted: AbortSignal): Promise<void> => {
      await new Promise((resolve) => {
        aborted.addEventListener("abort", resolve);
        process.emit(signal, signal);
      });
      await Promise.resolve();
      ended = true;
    };
    const error = await assertRejects(() => interruptible(work), InterruptedError, signal);
    assertEquals([error.code, error.signal, ended], ["INTERRUPTED", signal, true]);
    assertEquals(process.listenerCount(signal), before);
  }
});

test("output that cannot be written aborts the work", async () => {
  const failing = (): Promise<void> => {
    process.stdout.emit("error", Object.assign(new Error("broken"), { code: "EPIPE" }));
    return Promise.resolve();
  };
  const error = await assertRejects(() => interruptible(failing), InterruptedError, "output");
  assertEquals(error.signal, null);
});
