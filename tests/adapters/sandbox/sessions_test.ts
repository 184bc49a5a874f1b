import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { AuthoritySessions } from "../../../adapters/sandbox/sessions.ts";
import type { SessionReport } from "../../../adapters/sandbox/session_report.ts";
import type { ProcessPort } from "../../../core/ports/process.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { RUNTIMES } from "../../contracts/runtimes.ts";
import { hasEnded } from "../../contracts/has_ended.ts";
import { authorityFor, testRunner } from "./_runner_bench.ts";
import { call, ScriptedStarter } from "./_session_bench.ts";

const limit = { timeout: 60_000 };
const options = { command: ["repl"] };

test("a session is found by its thread alone", limit, async () => {
  const sessions = new AuthoritySessions(new ScriptedStarter());
  const { id } = await sessions.start(call("a"), options);
  assertEquals(sessions.find(id, "thread").id, id);
  for (
    const [wrong, thread] of [[id, "other"], ["", "thread"], ["x", "thread"], [
      id.toUpperCase(),
      "thread",
    ]] as const
  ) {
    assertEquals(
      await refusedCode(async () => await sessions.find(wrong, thread).close()),
      "SESSION_UNKNOWN",
    );
  }
  await sessions.close();
  assertEquals(await refusedCode(async () => await sessions.find(id, "thread").close()), "SESSION_UNKNOWN");
});

test("as many run as the operator allows, those that start included", limit, async () => {
  const starter = new ScriptedStarter();
  const sessions = new AuthoritySessions(starter, { maxSessions: 2 });
  const starting = [1, 2, 3].map(() => sessions.start(call("a"), options));
  const outcomes = await Promise.allSettled(starting);
  assertEquals(outcomes.map(({ status }) => status), ["fulfilled", "fulfilled", "rejected"]);
  assertEquals(await refusedCode(() => sessions.start(call("a", "other"), options)), "SESSION_LIMIT");
  starter.last.exit({ exitCode: 0, signal: null });
  await starter.last.ended;
  await sessions.start(call("a"), options);
  await sessions.close();
});

test("a start that failed counts no more", limit, async () => {
  const starter = new ScriptedStarter();
  const sessions = new AuthoritySessions(starter, { maxSessions: 1 });
  starter.starting = Promise.reject(new Error("no"));
  await assertRejects(() => sessions.start(call("a"), options), Error, "no");
  starter.starting = Promise.resolve();
  await sessions.start(call("a"), options);
  await sessions.close();
});

test("those that have ended can be read for a while, the newest the longest", limit, async () => {
  const starter = new ScriptedStarter();
  const sessions = new AuthoritySessions(starter, { maxSessions: 2 });
  const ids: string[] = [];
  for (let started = 0; started < 4; started++) {
    const session = await sessions.start(call("a"), options);
    ids.push(session.id);
    await session.end(call("a"));
  }
  const known = (): boolean[] => ids.map((id) => isKnown(sessions, id));
  assertEquals(known(), [false, true, true, true]);
  await sessions.start(call("a"), options);
  assertEquals(known(), [false, false, true, true]);
  await sessions.close();
});

test("a call gets less than the operator's limits, and never more", limit, async () => {
  const starter = new ScriptedStarter();
  const sessions = new AuthoritySessions(starter, { idleTimeoutMs: 20, maxOutputBytes: 4 });
  const session = await sessions.start(call("a"), { ...options, idleTimeoutMs: 50_000, maxOutputBytes: 100 });
  starter.last.print("123456");
  assertEquals((await session.read(call("a"))).stdout, "3456");
  await starter.last.ended;
  assertEquals(session.health.endedBy, "idle-limit");
  const less = await sessions.start(call("a"), { ...options, lifetimeMs: 10, maxOutputBytes: 2 });
  starter.last.print("123456");
  assertEquals((await less.read(call("a"))).stdout, "56");
  await starter.last.ended;
  assertEquals(less.health.endedBy, "lifetime-limit");
});

test("closing ends every session, those that start included, and refuses new ones", limit, async () => {
  const starter = new ScriptedStarter();
  const sessions = new AuthoritySessions(starter);
  await sessions.start(call("a"), options);
  const late = sessions.start(call("b", "other"), options);
  await sessions.close();
  assertEquals((await late).health.endedBy, "shutdown");
  assertEquals(starter.processes.map(({ ends }) => ends), [1, 1]);
  const refused = await assertRejects(() => sessions.start(call("a"), options));
  assert(refused instanceof DOMException && refused.name === "AbortError");
});

for (const runtime of RUNTIMES) {
  const SHELL = ["/bin/sh", "-c", 'sleep 600 & echo "$$ $!"; while read -r line; do eval "$line"; done'];

  testRunner(
    runtime,
    "a shell is kept, and its tree ends with another authority",
    async (launcher, create) => {
      const sessions = new AuthoritySessions(create());
      const use = { authority: authorityFor(launcher), thread: "t" };
      const other = { authority: authorityFor(launcher, { profile: "disabled" }), thread: "t" };
      const session = await sessions.start(use, { command: SHELL });
      const pids = pidsOf(await session.read(use, { waitMs: 50_000 }));
      await session.send(use, "x=41\n");
      const { stdout } = await session.send(use, "echo $((x + 1))\n", { waitMs: 50_000 });
      assertEquals([stdout, pids.map(hasEnded)], ["42\n", [false, false]]);
      assertEquals(await refusedCode(() => session.send(other, "echo no\n")), "AUTHORITY_CHANGED");
      assert(pids.every(hasEnded));
      assertEquals((await launcher.calls()).length, 1);
    },
  );

  testRunner(runtime, "a restart starts the same command under the new state", async (launcher, create) => {
    const sessions = new AuthoritySessions(create({ disableNetwork: true }));
    const use = { authority: authorityFor(launcher), thread: "t" };
    const other = { authority: authorityFor(launcher, { profile: "unknown" }), thread: "t" };
    const session = await sessions.start(use, { command: SHELL, onChange: "restart" });
    const before = pidsOf(await session.read(use, { waitMs: 50_000 }));
    const report = await session.read(other, { waitMs: 50_000 });
    const after = pidsOf(report);
    assertEquals([report.restarted, report.sandboxed, report.modifiers], [true, "unknown", [
      "--sandbox-state-disable-network",
    ]]);
    assertEquals([before.map(hasEnded), after.map(hasEnded)], [[true, true], [false, false]]);
    const states = (await launcher.calls()).map(({ args }) => args[2]).sort();
    assertEquals(states, [use.authority.stateText, other.authority.stateText].sort());
  });

  testRunner(runtime, "a launcher that was replaced on disk is used no more", async (launcher, create) => {
    const sessions = new AuthoritySessions(create());
    const use = { authority: authorityFor(launcher), thread: "t" };
    const session = await sessions.start(use, { command: SHELL });
    await launcher.replace();
    assertEquals(await refusedCode(() => session.send(use, "echo no\n")), "LAUNCHER_INVALID");
    assertEquals([(await session.end(use)).state, session.health.endedBy], ["ended", "request"]);
  });

  testRunner(
    runtime,
    "closing the runner ends what it started, and starts nothing more",
    async (launcher, create) => {
      const runner = create();
      const sessions = new AuthoritySessions(runner);
      const use = { authority: authorityFor(launcher), thread: "t" };
      const session = await sessions.start(use, { command: SHELL });
      const pids = pidsOf(await session.read(use, { waitMs: 50_000 }));
      const late = sessions.start(use, { command: SHELL });
      await Promise.all([runner.close(), assertRejects(() => late)]);
      assert(pids.every(hasEnded));
      assertEquals(session.health.state, "ended");
      await assertRejects(() => sessions.start(use, { command: SHELL }));
    },
  );

  for (const moment of ["the probe", "the command"] as const) {
    testRunner(
      runtime,
      `a start that is cancelled with ${moment} leaves no process`,
      async (launcher, create) => {
        const abort = new AbortController();
        const commands: number[] = [];
        const all: number[] = [];
        const processes: ProcessPort = {
          spawn: async (request, given) => {
            const child = await runtime.processes.spawn(request, given);
            const isCommand = request.args.includes("--");
            all.push(child.pid);
            if (isCommand) commands.push(child.pid);
            if (isCommand === (moment === "the command")) abort.abort(new Error("cancelled"));
            return child;
          },
        };
        const runner = create({ processes });
        const sessions = new AuthoritySessions(runner, { maxSessions: 1 });
        const use = { authority: authorityFor(launcher), thread: "t" };
        const start = () => sessions.start(use, { command: SHELL, signal: abort.signal });
        await assertRejects(start, Error, "cancelled");
        assertEquals(commands.map(hasEnded), moment === "the command" ? [true] : []);
        await runner.close();
        assertEquals(all.filter((pid) => !hasEnded(pid)), [], "the probe, or its watchdog, is left");
      },
    );
  }
}

function pidsOf({ stdout }: SessionReport): number[] {
  const pids = stdout.trim().split(" ").map(Number);
  assertEquals([pids.length, pids.every((pid) => pid > 1)], [2, true], stdout);
  return pids;
}

function isKnown(sessions: AuthoritySessions, id: string): boolean {
  try {
    return sessions.find(id, "thread").id === id;
  } catch {
    return false;
  }
}
