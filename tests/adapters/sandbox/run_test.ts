import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { type ProcessOutcome, type RunOptions, runProcess } from "../../../adapters/sandbox/run.ts";
import { ProcessError } from "../../../core/errors.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";
import { hasEnded } from "../../contracts/has_ended.ts";
import { ports } from "./_ports.ts";

/** Longer than any case may take: what waits for it hangs, and fails. */
const FOREVER_MS = 3_600_000;

const limit = { timeout: 60_000 };

/** A grandchild that ignores TERM and says its id, in a script that goes on after it. */
const STUBBORN = `sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &`;

for (const [name, port] of ports) {
  test(`${name}: output and exit status are the child's`, limit, async () => {
    const outcome = await run(port, "echo out; echo err >&2; exit 7", {});
    assertEquals(read(outcome), { ...QUIET, exitCode: 7, stdout: "out\n", stderr: "err\n" });
  });

  test(`${name}: standard input is fed and ended`, limit, async () => {
    const stdin = new Uint8Array(1 << 20).fill(120);
    const outcome = await run(port, "cat", { stdin, maxOutputBytes: 1 << 21 });
    assertEquals([outcome.stdout.length, outcome.truncated, outcome.exitCode], [1 << 20, false, 0]);
    assertEquals((await run(port, "wc -c", { stdin: new Uint8Array() })).exitCode, 0);
  });

  test(`${name}: a child that ignores its input ends as it wants`, limit, async () => {
    const outcome = await run(port, "exec <&-; exit 4", { stdin: new Uint8Array(1 << 22) });
    assertEquals(outcome.exitCode, 4);
    assertEquals((await run(port, "exit 5", { stdin: new Uint8Array(1 << 22) })).exitCode, 5);
  });

  test(`${name}: output beyond the cap is read and dropped`, limit, async () => {
    const told = { stdout: 0, stderr: 0 };
    const flood = "head -c 9000000 /dev/zero & head -c 9000000 /dev/zero >&2 & wait; exit 3";
    const outcome = await run(port, flood, {
      maxOutputBytes: 100_001,
      onOutput: (stream, chunk) => told[stream] += chunk.length,
    });
    assertEquals([outcome.stdout.length, outcome.stderr.length], [100_001, 100_001]);
    assertEquals(told, { stdout: 100_001, stderr: 100_001 });
    assertEquals([outcome.truncated, outcome.exitCode], [true, 3]);
    const exact = await run(port, "printf 12345", { maxOutputBytes: 5 });
    assertEquals([exact.stdout.length, exact.truncated], [5, false]);
  });

  test(`${name}: death by a signal is reported, and is neither limit nor cancel`, limit, async () => {
    assertEquals(read(await run(port, "kill -KILL $$", {})), { ...QUIET, exitCode: null, signal: "SIGKILL" });
  });

  test(`${name}: the time limit ends a child gently first`, limit, async () => {
    const polite = "trap 'echo bye; exit 9' TERM; sleep 600 & wait";
    const outcome = await run(port, polite, { timeoutMs: 1_000, graceMs: FOREVER_MS });
    assertEquals(read(outcome), { ...QUIET, exitCode: 9, stdout: "bye\n", timedOut: true });
  });

  test(`${name}: child and grandchild that ignore TERM are killed at the time limit`, limit, async () => {
    const outcome = await run(port, `trap '' TERM; ${STUBBORN} wait; wait`, {
      timeoutMs: 1_500,
      graceMs: 200,
    });
    const { stdout, ...rest } = read(outcome);
    assertEquals(rest, { ...rest, exitCode: null, signal: "SIGKILL", timedOut: true, cancelled: false });
    assert(hasEnded(parsePid(stdout)));
  });

  test(`${name}: a grandchild that ignores TERM is killed after a leader that does not`, limit, async () => {
    const abort = new AbortController();
    const outcome = await run(port, `${STUBBORN} wait`, {
      signal: abort.signal,
      graceMs: 200,
      onOutput: () => abort.abort(),
    });
    const { stdout, ...rest } = read(outcome);
    assertEquals(rest, { ...rest, signal: "SIGTERM", timedOut: false, cancelled: true });
    assert(hasEnded(parsePid(stdout)));
  });

  test(`${name}: a cancel does not wait for the grace when all have ended`, limit, async () => {
    const abort = new AbortController();
    const outcome = await run(port, "sleep 600 & echo started; wait", {
      signal: abort.signal,
      graceMs: FOREVER_MS,
      onOutput: () => abort.abort(),
    });
    assertEquals([outcome.cancelled, outcome.signal], [true, "SIGTERM"]);
  });

  test(`${name}: a signal that has aborted starts nothing and throws its reason`, limit, async () => {
    const reason = new Error("enough");
    const refuse: ProcessPort = { spawn: () => Promise.reject(new Error("started")) };
    const thrown = await assertRejects(() => run(refuse, "", { signal: AbortSignal.abort(reason) }), Error);
    assertEquals(thrown, reason);
  });

  test(`${name}: a signal that aborts during the start ends the child`, limit, async () => {
    const abort = new AbortController();
    const late: ProcessPort = {
      spawn: async (...given) => {
        const child = await port.spawn(...given);
        abort.abort();
        return child;
      },
    };
    const outcome = await run(late, "exec sleep 600", { signal: abort.signal, graceMs: FOREVER_MS });
    assertEquals([outcome.cancelled, outcome.signal], [true, "SIGTERM"]);
  });

  test(`${name}: a grandchild on the pipe neither keeps the call open nor survives it`, limit, async () => {
    const outcome = await run(port, `${STUBBORN} read line; exit 6`, {
      stdin: new TextEncoder().encode("go\n"),
      drainMs: 300,
      graceMs: FOREVER_MS,
    });
    const { stdout, ...rest } = read(outcome);
    assertEquals(rest, { ...rest, exitCode: 6, truncated: false, timedOut: false, cancelled: false });
    assert(hasEnded(parsePid(stdout)));
  });

  test(`${name}: a refused start is the port's own error`, limit, async () => {
    const start = () => runProcess(port, { executable: "/nowhere", args: [] }, BASE);
    assertEquals((await assertRejects(start, ProcessError)).code, "PROGRAM_NOT_FOUND");
  });

  test(`${name}: what the listener throws ends the child and is thrown`, limit, async () => {
    const error = new Error("listener");
    let calls = 0;
    const fail = (): void => {
      calls++;
      throw error;
    };
    const flood = "trap '' TERM; echo one; cat /dev/zero";
    const thrown = await assertRejects(() => run(port, flood, { onOutput: fail, graceMs: 100 }), Error);
    assertEquals([thrown, calls], [error, 1]);
  });

  test(`${name}: no listener stays on the signal`, limit, async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const count = (method: "addEventListener" | "removeEventListener", by: number): void => {
      const original = signal[method];
      const value = (...given: readonly unknown[]): void => {
        listeners += by;
        Reflect.apply(original, signal, given);
      };
      Object.defineProperty(signal, method, { value });
    };
    count("addEventListener", 1);
    count("removeEventListener", -1);
    await run(port, "exit 0", { signal, timeoutMs: FOREVER_MS });
    await run(port, "exec sleep 600", { signal, timeoutMs: 50 });
    assertEquals(listeners, 0);
  });
}

const BASE = { environment: { PATH: "/usr/bin:/bin" }, maxOutputBytes: 65_536 };

const QUIET = {
  exitCode: 0,
  signal: null,
  stdout: "",
  stderr: "",
  truncated: false,
  timedOut: false,
  cancelled: false,
};

function run(port: ProcessPort, script: string, options: Partial<RunOptions>): Promise<ProcessOutcome> {
  return runProcess(port, { executable: "/bin/sh", args: ["-c", script] }, { ...BASE, ...options });
}

/** The outcome with its streams as text. */
function read(
  outcome: ProcessOutcome,
): Omit<ProcessOutcome, "stdout" | "stderr"> & Record<"stdout" | "stderr", string> {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { ...outcome, stdout: decode(outcome.stdout), stderr: decode(outcome.stderr) };
}

function parsePid(text: string): number {
  assert(/^\d+\n$/.test(text), JSON.stringify(text));
  return Number(text);
}
