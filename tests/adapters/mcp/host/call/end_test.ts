import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  cancelled,
  hostClosed,
  lifetimeOf,
  threadClosed,
  timedOut,
} from "../../../../../adapters/mcp/host/call/end.ts";

test("each end has its code, and names server, tool and thread", () => {
  assertEquals(hostClosed().code, "HOST_CLOSED");
  assertEquals(threadClosed("T").message, 'Cannot use the thread "T": it is closed');
  assertEquals(cancelled("s", "t").message, 'Cannot call "t" at "s": the caller cancelled it');
  const late = timedOut("s", { tool: null, timeoutMs: 1_500, configured: true });
  assertEquals([late.code, late.server, late.message], [
    "CALL_TIMEOUT",
    "s",
    'Cannot list the tools of "s": it took longer than 1.5 s (tool_timeout_sec)',
  ]);
  // the caller's own time is no field of the configuration
  const own = timedOut("s", { tool: null, timeoutMs: 1_500, configured: false });
  assertEquals(own.message, 'Cannot list the tools of "s": it took longer than 1.5 s');
});

test("the host's end comes before the thread's, and that before the caller's; the configuration gives the time", async () => {
  const aborted = AbortSignal.abort();
  const open = new AbortController().signal;
  const of = (host: AbortSignal, closing: AbortSignal, signal: AbortSignal): string | undefined => {
    const life = lifetimeOf({
      entry: { name: "s", toolTimeoutMs: 60_000 },
      tool: "t",
      thread: "T",
      host,
      closing,
      signal,
    });
    life.over();
    return life.error?.code;
  };
  assertEquals([of(aborted, aborted, aborted), of(open, aborted, aborted), of(open, open, aborted)], [
    "HOST_CLOSED",
    "THREAD_CLOSED",
    "CALL_CANCELLED",
  ]);
  const life = lifetimeOf({
    entry: { name: "s", toolTimeoutMs: 1 },
    tool: "t",
    thread: "T",
    host: open,
    closing: open,
  });
  await life.during(new Promise(() => {})).catch(() => {});
  assertEquals([life.error?.code, life.error?.message.includes("tool_timeout_sec")], ["CALL_TIMEOUT", true]);
  const own = lifetimeOf({
    entry: { name: "s", toolTimeoutMs: 60_000 },
    tool: "t",
    thread: "T",
    host: open,
    closing: open,
    timeoutMs: 1,
  });
  await own.during(new Promise(() => {})).catch(() => {});
  assertEquals([own.error?.code, own.error?.message.includes("tool_timeout_sec")], ["CALL_TIMEOUT", false]);
});
