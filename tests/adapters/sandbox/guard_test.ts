import { assert, assertEquals, assertRejects } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ProcessGuard } from "../../../adapters/sandbox/guard.ts";
import { runProcess } from "../../../adapters/sandbox/run.ts";
import { ProcessError } from "../../../core/errors.ts";
import type { ChildProcess, ProcessPort } from "../../../core/ports/process.ts";
import { hasEnded } from "../../contracts/has_ended.ts";
import { pollUntil, ports } from "./_ports.ts";

// This file is also the program that the cases start and kill: it is then given this name, a port and a way to end.
const HOST = "--guard-host";

const environment = { PATH: "/usr/bin:/bin" };
const limit = { timeout: 60_000 };

/** Ignores TERM, starts a grandchild that does so too, and says both ids. */
const STUBBORN = `trap '' TERM; echo $$; sh -c 'echo $$; while :; do sleep 1; done' & wait`;

const host = process.argv.indexOf(HOST);
if (host >= 0) await beHost(process.argv[host + 1] ?? "", process.argv[host + 2] ?? "");
else register();

function register(): void {
  for (const [name, port] of ports) {
    test(`${name}: a parent killed by SIGKILL leaves no orphan that ignores TERM`, limit, async () => {
      const parent = await startHost(name, "wait");
      const pids = await readPids(parent, 2);
      assertEquals(pids.map(hasEnded), [false, false]);
      process.kill(parent.pid, "SIGKILL");
      assertEquals(await parent.exited, { exitCode: null, signal: "SIGKILL" });
      await pollUntil(() => pids.every(hasEnded));
      parent.release();
    });

    test(`${name}: a guard does not keep its parent alive, and ends what that leaves`, limit, async () => {
      const parent = await startHost(name, "leave");
      const pids = await readPids(parent, 2);
      assertEquals(await parent.exited, { exitCode: 0, signal: null });
      await pollUntil(() => pids.every(hasEnded));
      parent.release();
    });

    test(`${name}: close ends what is watched, and nothing that is not any more`, limit, async () => {
      const guard = new ProcessGuard(port);
      const watched = await startStubborn(port);
      const unwatched = await startStubborn(port);
      await Promise.all([guard.watch(watched.pid), guard.watch(unwatched.pid)]);
      await guard.unwatch(unwatched.pid);
      await guard.unwatch(unwatched.pid);
      await guard.close();
      await guard.close();
      assertEquals(await watched.exited, { exitCode: null, signal: "SIGKILL" });
      assertEquals(unwatched.alive(), true);
      await end(unwatched);
      watched.release();
    });

    test(`${name}: many calls share one watchdog, and one that died is replaced`, limit, async () => {
      const started: ChildProcess[] = [];
      const guard = new ProcessGuard(recordStarts(port, started));
      const first = await startStubborn(port);
      const second = await startStubborn(port);
      assertEquals(await Promise.all([guard.start(), guard.start()]), [true, true]);
      await guard.watch(first.pid);
      assertEquals(started.length, 1);
      const pid = started[0]?.pid ?? 0;
      process.kill(pid, "SIGKILL");
      await pollUntil(() => hasEnded(pid));
      await guard.watch(second.pid);
      assertEquals(started.length, 2);
      await guard.close();
      for (const child of [first, second]) {
        assertEquals(await child.exited, { exitCode: null, signal: "SIGKILL" });
        child.release();
      }
    });

    test(`${name}: a watchdog is not ended by the signals that end its parent`, limit, async () => {
      const started: ChildProcess[] = [];
      const guard = new ProcessGuard(recordStarts(port, started));
      const child = await startStubborn(port);
      await guard.watch(child.pid);
      // Its pipe is empty and it sleeps in a read: only then are the traps certain to be set.
      const pid = started[0]?.pid ?? 0;
      for await (const _chunk of started[0]?.stdout ?? []) continue;
      for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"]) process.kill(pid, signal);
      await guard.close();
      assertEquals(await child.exited, { exitCode: null, signal: "SIGKILL" });
      child.release();
    });

    test(`${name}: a finished call leaves nothing under guard`, limit, async () => {
      const written: string[] = [];
      const guard = new ProcessGuard(recordStarts(port, [], (text) => written.push(text)));
      const request = { executable: "/bin/sh", args: ["-c", "exit 3"] };
      const outcome = await runProcess(port, request, { environment, maxOutputBytes: 9, guard });
      assertEquals(outcome.exitCode, 3);
      assertEquals(written.map((line) => line.slice(0, 2)), ["+ ", "- "]);
      assertEquals(written[0]?.slice(2), written[1]?.slice(2));
      await guard.close();
    });
  }

  test("ids that are no group's are refused", async () => {
    const guard = new ProcessGuard({ spawn: () => Promise.reject(new Error("started")) });
    for (const pid of [0, 1, -7, 1.5, NaN, Infinity]) {
      assertEquals((await assertRejects(() => guard.watch(pid), ProcessError)).code, "SPAWN_FAILED");
    }
  });

  test("without a shell there is no watchdog, and calls go on", async () => {
    const missing = new ProcessError("PROGRAM_NOT_FOUND", "no shell");
    const guard = new ProcessGuard({ spawn: () => Promise.reject(missing) });
    assertEquals(await guard.start(), false);
    await guard.watch(7);
    await guard.unwatch(7);
    await guard.close();
  });

  test("a watchdog that cannot be started stops the call before its child", async () => {
    const refused = new ProcessError("SPAWN_FAILED", "no more processes");
    const guard = new ProcessGuard({ spawn: () => Promise.reject(refused) });
    const port: ProcessPort = { spawn: () => Promise.reject(new Error("started")) };
    const options = { environment, maxOutputBytes: 9, guard };
    const call = () => runProcess(port, { executable: "/bin/sh", args: [] }, options);
    assertEquals(await assertRejects(call, ProcessError), refused);
    assertEquals(await assertRejects(() => guard.start(), ProcessError), refused);
  });
}

/** The parent of the first two cases: runs a stubborn child under guard, and waits or leaves it behind. */
async function beHost(name: string, way: string): Promise<void> {
  const port = ports.get(name);
  if (port === undefined) throw new Error(`no port ${name}`);
  const guard = new ProcessGuard(port);
  const tell = (_: string, chunk: Uint8Array): void => void process.stdout.write(chunk);
  const request = { executable: "/bin/sh", args: ["-c", STUBBORN] };
  if (way === "wait") {
    // Others that start later must not hold on to the watchdog's pipe.
    const bystander = { executable: "/bin/sleep", args: ["600"] };
    await guard.start();
    void runProcess(port, bystander, { environment, maxOutputBytes: 9, guard });
    await runProcess(port, request, { environment, maxOutputBytes: 999, onOutput: tell, guard });
  } else {
    const short = { executable: "/bin/sh", args: ["-c", "sleep 600 & exit 0"] };
    await runProcess(port, short, { environment, maxOutputBytes: 9, guard });
    const child = await port.spawn(request, { environment, stdin: "closed" });
    await guard.watch(child.pid);
    let told = "";
    for await (const chunk of child.stdout) {
      told += new TextDecoder().decode(chunk);
      if (told.split("\n").length > 2) break;
    }
    process.stdout.write(told);
    child.unref();
    child.release();
    const other = new ProcessGuard(port);
    await other.start();
    await other.close();
  }
}

/** Starts this file as a parent of its own, in the runtime at hand. */
async function startHost(name: string, way: string): Promise<ChildProcess> {
  const own = ports.get("Deno") ?? ports.get("Node");
  const flags = ports.has("Deno") ? ["run", "--quiet", "-A"] : [];
  const args = [...flags, fileURLToPath(import.meta.url), HOST, name, way];
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  const options = { environment: Object.fromEntries(inherited), stdin: "closed", stderr: "inherit" } as const;
  const child = await own?.spawn({ executable: process.execPath, args }, options);
  assert(child);
  return child;
}

async function startStubborn(port: ProcessPort): Promise<ChildProcess> {
  const request = {
    executable: "/bin/sh",
    args: ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"],
  };
  const child = await port.spawn(request, { environment, stdin: "closed" });
  await child.stdout[Symbol.asyncIterator]().next();
  return child;
}

async function readPids(parent: ChildProcess, count: number): Promise<readonly number[]> {
  let told = "";
  for await (const chunk of parent.stdout) {
    told += new TextDecoder().decode(chunk);
    if (told.split("\n").length > count) break;
  }
  const pids = told.trim().split("\n").map(Number);
  assertEquals([pids.length, pids.every((pid) => pid > 1)], [count, true]);
  return pids;
}

/** `port`, whose starts and inputs are noted. */
function recordStarts(
  port: ProcessPort,
  started: ChildProcess[],
  note?: (text: string) => void,
): ProcessPort {
  return {
    spawn: async (request, options) => {
      const child = await port.spawn(request, options);
      const write = child.write.bind(child);
      child.write = (bytes) => {
        note?.(new TextDecoder().decode(bytes));
        return write(bytes);
      };
      started.push(child);
      return child;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.exited;
  child.release();
}
