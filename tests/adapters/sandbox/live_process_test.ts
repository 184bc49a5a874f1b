import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { ProcessGuard } from "../../../adapters/sandbox/guard.ts";
import { type LiveOptions, LiveProcess } from "../../../adapters/sandbox/live_process.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { hasEnded } from "../../contracts/has_ended.ts";
import { pollUntil, ports } from "./_ports.ts";

const limit = { timeout: 60_000 };
const environment = { PATH: "/usr/bin:/bin" };

for (const [name, port] of ports) {
  const start = async (script: string, options: Partial<LiveOptions> = {}) => {
    const seen = { stdout: "", stderr: "" };
    const process = await LiveProcess.start(port, { executable: "/bin/sh", args: ["-c", script] }, {
      environment,
      graceMs: 100,
      onOutput: (stream, chunk) => seen[stream] += new TextDecoder().decode(chunk),
      ...options,
    });
    return { process, seen };
  };
  const write = (process: LiveProcess, text: string) => process.write(new TextEncoder().encode(text));

  test(`${name}: a live process is fed and read until it ends by itself`, limit, async () => {
    const { process, seen } = await start("read a; echo got $a; echo oops >&2; read b; exit $b");
    assertEquals(await write(process, "one\n"), true);
    await pollUntil(() => seen.stdout === "got one\n" && seen.stderr === "oops\n");
    assertEquals(await write(process, "7\n"), true);
    assertEquals(await process.ended, { exitCode: 7, signal: null });
    assertEquals([await write(process, "x"), await process.end()], [false, { exitCode: 7, signal: null }]);
  });

  test(`${name}: the end reaches the whole tree, TERM ignored or not`, limit, async () => {
    const { process, seen } = await start(
      "trap '' TERM; echo $$; sh -c 'echo $$; while :; do sleep 1; done' & wait",
    );
    await pollUntil(() => seen.stdout.split("\n").length > 2);
    const pids = seen.stdout.trim().split("\n").map(Number);
    const exits = await Promise.all([process.end(), process.end(), process.ended]);
    assertEquals(exits.map(({ signal }) => signal), ["SIGKILL", "SIGKILL", "SIGKILL"]);
    assert(pids.every(hasEnded));
  });

  test(
    `${name}: what outlives its leader in the group ends with it, and its output is complete`,
    limit,
    async () => {
      const { process, seen } = await start("sleep 600 & echo $!; exec printf end", { drainMs: 50 });
      const exit = await process.ended;
      const [pid, rest] = seen.stdout.split("\n");
      assertEquals([exit.exitCode, rest, hasEnded(Number(pid))], [0, "end", true]);
    },
  );

  test(`${name}: nobody has to read: output without end holds nothing up`, limit, async () => {
    let bytes = 0;
    const { process } = await start("while :; do echo 0123456789; done | head -c 20000000; exit 5", {
      onOutput: (_stream, chunk) => bytes += chunk.length,
    });
    assertEquals([(await process.ended).exitCode, bytes], [5, 20_000_000]);
  });

  test(`${name}: a signal ends it at any time, and before the start nothing is started`, limit, async () => {
    const abort = new AbortController();
    const { process, seen } = await start("echo $$; exec sleep 600", { signal: abort.signal });
    await pollUntil(() => seen.stdout.includes("\n"));
    abort.abort(new Error("over"));
    assertEquals((await process.ended).signal, "SIGTERM");
    assert(hasEnded(process.pid));
    await assertRejects(() => start("exit", { signal: abort.signal }), Error, "over");
  });

  test(`${name}: a listener that fails ends the process`, limit, async () => {
    const { process } = await start("echo x; exec sleep 600", {
      onOutput: () => {
        throw new Error("no");
      },
    });
    assertEquals((await process.ended).signal, "SIGTERM");
  });

  test(`${name}: it is under guard from its start to its end`, limit, async () => {
    const guard = new ProcessGuard(port);
    const steps: string[] = [];
    const { watch, unwatch } = guard;
    guard.watch = (pid) => (steps.push(`watch ${pid}`), watch.call(guard, pid));
    guard.unwatch = (pid) => (steps.push(`unwatch ${pid}`), unwatch.call(guard, pid));
    const { process } = await start("exec sleep 600", { guard });
    assertEquals(steps, [`watch ${process.pid}`]);
    await process.end();
    assertEquals(steps, [`watch ${process.pid}`, `unwatch ${process.pid}`]);
    guard.watch = () => Promise.reject(new Error("cannot guard"));
    let pid = 0;
    const spying = {
      spawn: async (...given: Parameters<typeof port.spawn>) => {
        const child = await port.spawn(...given);
        pid = child.pid;
        return child;
      },
    };
    const request = { executable: "/bin/sh", args: ["-c", "exec sleep 600"] };
    await assertRejects(
      () => LiveProcess.start(spying, request, { environment, guard, graceMs: 100 }),
      Error,
      "cannot guard",
    );
    assert(pid > 0 && hasEnded(pid));
    await guard.close();
  });

  test(`${name}: a program that is not there is refused`, limit, async () => {
    const start = () => LiveProcess.start(port, { executable: "/no/such", args: [] }, { environment });
    assertEquals(await refusedCode(start), "PROGRAM_NOT_FOUND");
  });
}
