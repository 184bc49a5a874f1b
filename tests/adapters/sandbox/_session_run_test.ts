import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { SessionRun } from "../../../adapters/sandbox/_session_run.ts";
import { SessionError } from "../../../core/errors.ts";
import { withClock } from "./_clock.ts";
import { call, ScriptedProcess } from "./_session_bench.ts";

const limit = { timeout: 60_000 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const LIMITS = { maxOutputBytes: 8, maxInputBytes: 8 };

function start(limits: typeof LIMITS = LIMITS): {
  readonly run: SessionRun;
  readonly process: ScriptedProcess;
  readonly ends: string[];
} {
  const run = new SessionRun(limits);
  const process = new ScriptedProcess(call("a").authority, { onOutput: run.listen });
  const ends: string[] = [];
  run.follow(process, () => ends.push(run.health.state));
  return { run, process, ends };
}

test(
  "a wait is over when output came and paused, and takes no longer than it may",
  limit,
  () =>
    withClock(async (tick) => {
      const { run, process } = start();
      let waited = 0;
      const wait = (ms: number): void => void run.wait(ms).then(() => waited++);
      wait(1_000);
      await tick(900);
      process.print("a");
      await tick(49);
      process.print("b");
      await tick(49);
      assertEquals(waited, 0);
      await tick(1);
      assertEquals([waited, run.take().stdout], [1, "ab"]);
      wait(200);
      await tick(199);
      assertEquals(waited, 1);
      await tick(1);
      assertEquals(waited, 2);
      wait(100);
      for (let ms = 0; ms < 100; ms += 20) {
        process.print("c");
        assertEquals(waited, 2);
        await tick(20);
      }
      assertEquals([waited, run.take().stdout], [3, "ccccc"]);
      wait(0);
      await tick(0);
      assertEquals(waited, 4);
    }),
);

test("output of before an input is no answer to it", limit, async () => {
  const { run, process } = start();
  process.print("banner");
  const since = run.send(encode("x"));
  let waited = false;
  const waiting = run.wait(50_000, { since }).then(() => waited = true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assertEquals(waited, false);
  process.print("42");
  await waiting;
  assertEquals(run.take().stdout, "banner42");
});

test(
  "output that is there already is not waited for long, nor is that of a process that has ended",
  limit,
  async () => {
    const { run, process, ends } = start();
    process.print("x", "stderr");
    await run.wait(50_000);
    process.exit({ exitCode: 0, signal: null });
    await run.wait(50_000);
    assertEquals([run.health.state, ends], ["ended", ["ended"]]);
    await run.wait(50_000);
  },
);

test("streams are kept apart, the newest of each, and dropped bytes are counted over both", limit, () => {
  const { run, process } = start();
  process.print("0123456789");
  process.print("abcdefghi", "stderr");
  assertEquals(run.take(), { stdout: "23456789", stderr: "bcdefghi", droppedBytes: 3 });
});

test("input keeps its order, and is refused when too much waits", limit, async () => {
  const { run, process } = start();
  for (const text of ["one", "two"]) run.send(encode(text));
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(process.received, ["one", "two"]);
  process.input = "ignored";
  run.send(encode("12345"));
  run.send(encode("678"));
  assertEquals(codeOf(() => run.send(encode("9"))), "SESSION_BUSY");
});

test("a process that closed its input is sent no more, and can be read", limit, async () => {
  const { run, process } = start();
  process.input = "closed";
  run.send(encode("x"));
  await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(codeOf(() => run.send(encode("y"))), "SESSION_ENDED");
  process.print("still");
  assertEquals([run.take().stdout, run.health.state], ["still", "running"]);
});

test(
  "the first reason to end it is the one that counts, and the last incomplete character is replaced",
  limit,
  async () => {
    const { run, process } = start();
    process.options.onOutput?.("stdout", new Uint8Array([0xe2, 0x82]));
    assertEquals(run.take().stdout, "");
    await Promise.all([run.end("idle-limit"), run.end("request")]);
    await run.end("shutdown");
    assertEquals([run.health.endedBy, run.health.signal, process.ends], ["idle-limit", "SIGTERM", 2]);
    assertEquals(run.take().stdout, "\ufffd");
    assertEquals(codeOf(() => run.send(encode("x"))), "SESSION_ENDED");
  },
);

test("an abort ends a wait with its reason", limit, async () => {
  const { run } = start();
  const abort = new AbortController();
  const waiting = run.wait(50_000, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await assertRejects(() => waiting, Error, "enough");
  await assertRejects(() => run.wait(50_000, { signal: abort.signal }), Error, "enough");
});

function codeOf(body: () => void): string {
  return assertThrows(body, SessionError).code;
}
