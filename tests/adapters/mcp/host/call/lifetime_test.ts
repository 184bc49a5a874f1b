import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { CallLifetime } from "../../../../../adapters/mcp/host/call/lifetime.ts";
import { HostError } from "../../../../../core/errors.ts";
import { deferred } from "../deferred.ts";

const failure = (code: "CALL_TIMEOUT" | "CALL_CANCELLED" | "THREAD_CLOSED"): HostError =>
  new HostError(code, code);
const timedOut = (): HostError => failure("CALL_TIMEOUT");
const never = new Promise<never>(() => {});

test("the first word counts, and the signal tells nothing of it", async () => {
  const caller = new AbortController();
  const thread = new AbortController();
  const life = new CallLifetime({
    ends: [{ signal: thread.signal, error: () => failure("THREAD_CLOSED") }, {
      signal: caller.signal,
      error: () => failure("CALL_CANCELLED"),
    }],
    timeoutMs: 60_000,
    timedOut,
  });
  const waiting = life.during(never);
  caller.abort(new Error("private"));
  thread.abort();
  assertEquals((await assertRejects(() => waiting, HostError)).code, "CALL_CANCELLED");
  assertEquals([life.error?.code, life.signal.aborted, life.isOver], ["CALL_CANCELLED", true, true]);
  assert(!String(life.signal.reason).includes("private"));
});

test("of several that are aborted already, the strongest counts", () => {
  const ends = (["THREAD_CLOSED", "CALL_CANCELLED"] as const).map((code) => ({
    signal: AbortSignal.abort(),
    error: () => failure(code),
  }));
  assertEquals(new CallLifetime({ ends, timeoutMs: 1, timedOut }).error?.code, "THREAD_CLOSED");
});

test("time ends it, whatever the work does; a time beyond the longest of timers does not end it at once", async () => {
  const life = new CallLifetime({ ends: [], timeoutMs: 5, timedOut });
  assertEquals((await assertRejects(() => life.during(never), HostError)).code, "CALL_TIMEOUT");
  const long = new CallLifetime({ ends: [], timeoutMs: Infinity, timedOut });
  assertEquals(await long.during(new Promise((resolve) => setTimeout(resolve, 20, "done"))), "done");
  long.over();
});

test("the time of those who are asked does not count, one after the other or at once", async () => {
  const life = new CallLifetime({ ends: [], timeoutMs: 1_000, timedOut });
  const slow = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 900));
  await Promise.all([life.whileAsking(slow), life.whileAsking(slow)]);
  await life.whileAsking(slow);
  assertEquals(life.error, null);
  assertEquals((await assertRejects(() => life.during(never), HostError)).code, "CALL_TIMEOUT");
});

test("once it is over nothing ends it, and it listens to nobody", () => {
  const caller = new AbortController();
  const life = new CallLifetime({
    ends: [{ signal: caller.signal, error: () => failure("CALL_CANCELLED") }],
    timeoutMs: 60_000,
    timedOut,
  });
  life.over();
  caller.abort();
  life.end(failure("THREAD_CLOSED"));
  assertEquals([life.error, life.signal.aborted, life.isOver], [null, false, true]);
});

test("work that fails after the end bothers nobody", async () => {
  const life = new CallLifetime({ ends: [], timeoutMs: 60_000, timedOut });
  const late = deferred<never>();
  const waiting = life.during(late.promise);
  life.end(failure("CALL_CANCELLED"));
  await assertRejects(() => waiting, HostError);
  late.reject(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 5));
});
