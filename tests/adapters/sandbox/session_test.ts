import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { test } from "node:test";
import { AuthoritySession } from "../../../adapters/sandbox/session.ts";
import type { SessionOptions } from "../../../adapters/sandbox/session_options.ts";
import { refusedCode } from "../../contracts/refused.ts";
import { call, ScriptedStarter, textOf } from "./_session_bench.ts";

const limit = { timeout: 60_000 };

async function open(
  starter: ScriptedStarter,
  options: Partial<SessionOptions> = {},
): Promise<AuthoritySession> {
  return await AuthoritySession.start(starter, call("a"), { command: ["repl"], ...options });
}

test("the same authority is used: input goes in, output comes out", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter);
  assertMatch(session.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const sent = session.send(call("a"), "1+1\n", { waitMs: 30_000 });
  while (starter.last.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  starter.last.print("2\n");
  starter.last.print(">>> ", "stderr");
  const report = await sent;
  assertEquals([report.stdout, report.stderr, report.state, report.inputSent], [
    "2\n",
    ">>> ",
    "running",
    true,
  ]);
  assertEquals([report.sessionId, report.restarted, report.sandboxed], [session.id, false, true]);
  assertEquals(starter.last.received, ["1+1\n"]);
  const next = await session.read(call("a"));
  assertEquals([next.stdout, next.inputSent], ["", false]);
  await session.close();
});

test("each session has an id of its own", limit, async () => {
  const starter = new ScriptedStarter();
  const sessions = await Promise.all([open(starter), open(starter), open(starter)]);
  assertEquals(new Set(sessions.map(({ id }) => id)).size, 3);
  await Promise.all(sessions.map((session) => session.close()));
});

test("another thread is refused and ends nothing, whatever authority it brings", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter, { onChange: "restart" });
  starter.last.print("secret");
  for (const state of ["a", "b"]) {
    for (const thread of ["other", "", "threa", "thread "]) {
      const use = call(state, thread);
      assertEquals(await refusedCode(() => session.send(use, "x")), "SESSION_UNKNOWN");
      assertEquals(await refusedCode(() => session.read(use)), "SESSION_UNKNOWN");
      assertEquals(await refusedCode(() => session.end(use)), "SESSION_UNKNOWN");
    }
  }
  assertEquals([session.health.state, starter.last.ends, starter.last.received], ["running", 0, []]);
  assertEquals((await session.read(call("a"))).stdout, "secret");
  await session.close();
});

for (const use of ["send", "read", "end"] as const) {
  const useIt = (session: AuthoritySession, by: ReturnType<typeof call>) =>
    use === "send" ? session.send(by, "x\n") : session[use](by);

  test(`another valid authority ends the tree, and ${use} is refused`, limit, async () => {
    const starter = new ScriptedStarter();
    const session = await open(starter);
    let release: () => void = () => {};
    starter.last.linger(new Promise((resolve) => release = resolve));
    starter.last.print("written under a");
    let settled = false;
    const code = refusedCode(() => useIt(session, call("b"))).finally(() => settled = true);
    while (starter.last.ends === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    assertEquals(settled, false); // it waits for the end
    release();
    assertEquals(await code, "AUTHORITY_CHANGED");
    assertEquals([session.health.state, session.health.endedBy], ["ended", "authority-change"]);
    assertEquals(starter.last.received, []);
    assertEquals(await refusedCode(() => useIt(session, call("b"))), "AUTHORITY_CHANGED");
    const { stdout, endedBy } = await session.read(call("a"));
    assertEquals([stdout, endedBy], ["written under a", "authority-change"]);
  });

  test(
    `another authority that is not valid refuses ${use} as it would a start, and ends nothing`,
    limit,
    async () => {
      const starter = new ScriptedStarter();
      const session = await open(starter, { onChange: "restart" });
      starter.refused.add(textOf("b"));
      assertEquals(await refusedCode(() => useIt(session, call("b"))), "LAUNCHER_INVALID");
      assertEquals([session.health.state, starter.last.ends], ["running", 0]);
      assertEquals((await session.read(call("a"))).state, "running");
      await session.close();
    },
  );
}

test("another launcher is another authority, and so are other modifiers", limit, async () => {
  const starter = new ScriptedStarter();
  const first = await open(starter);
  assertEquals(await refusedCode(() => first.read(call("a", "thread", "/other"))), "AUTHORITY_CHANGED");
  assertEquals(first.health.state, "ended");
  const second = await open(starter);
  starter.modifiers = ["--sandbox-state-disable-network"];
  assertEquals(await refusedCode(() => second.read(call("a"))), "AUTHORITY_CHANGED");
  assertEquals(second.health.state, "ended");
});

test("a launcher that changed on disk is refused for use, not for the end", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter);
  starter.refused.add(textOf("a"));
  assertEquals(await refusedCode(() => session.send(call("a"), "x")), "LAUNCHER_INVALID");
  assertEquals(await refusedCode(() => session.read(call("a"))), "LAUNCHER_INVALID");
  assertEquals([session.health.state, starter.last.received], ["running", []]);
  assertEquals((await session.end(call("a"))).endedBy, "request");
});

test(
  "with restart the command starts anew after the old tree is gone, and is told of no input",
  limit,
  async () => {
    const starter = new ScriptedStarter();
    const session = await open(starter, { onChange: "restart", directory: "src" });
    const old = starter.last;
    old.print("old");
    const report = await session.send(call("b"), "rm -r build\n");
    assertEquals(starter.steps.slice(-4), [
      `admit ${textOf("b")}`,
      `ended ${textOf("a")}`,
      `admit ${textOf("b")}`,
      `start ${textOf("b")}`,
    ]);
    assertEquals([report.restarted, report.inputSent, report.stdout, report.state], [
      true,
      false,
      "",
      "running",
    ]);
    assertEquals([old.received, starter.last.received, starter.last.options.directory], [[], [], "src"]);
    const next = await session.send(call("b"), "ls\n");
    assertEquals([next.restarted, next.inputSent, starter.last.received], [false, true, ["ls\n"]]);
    const back = await session.read(call("a"));
    assertEquals([back.restarted, starter.last.authority.stateText], [true, textOf("a")]);
    assertEquals(starter.processes.length, 3);
    await session.close();
  },
);

test("two calls under another authority restart once", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter, { onChange: "restart" });
  const reports = await Promise.all([session.read(call("b")), session.send(call("b"), "x")]);
  assertEquals(reports.map(({ restarted }) => restarted), [true, false]);
  assertEquals([starter.processes.length, starter.last.received], [2, ["x"]]);
  await session.close();
});

test(
  "the end starts nothing, whatever the option, and a process that has ended is not restarted",
  limit,
  async () => {
    const starter = new ScriptedStarter();
    const first = await open(starter, { onChange: "restart" });
    assertEquals(await refusedCode(() => first.end(call("b"))), "AUTHORITY_CHANGED");
    assertEquals([first.health.state, starter.processes.length], ["ended", 1]);
    const second = await open(starter, { onChange: "restart" });
    starter.last.exit({ exitCode: 3, signal: null });
    await starter.last.ended;
    assertEquals(await refusedCode(() => second.read(call("b"))), "AUTHORITY_CHANGED");
    assertEquals(starter.processes.length, 2);
  },
);

test("a restart that fails leaves an ended session", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter, { onChange: "restart" });
  starter.starting = Promise.reject(new Error("no"));
  await assertRejects(() => session.read(call("b")), Error, "no");
  assertEquals(session.health.state, "ended");
  assertEquals(await refusedCode(() => session.send(call("a"), "x")), "SESSION_ENDED");
});

test("what has ended by itself can be read to its end, and is sent nothing", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter);
  starter.last.print("last words");
  starter.last.exit({ exitCode: 7, signal: null });
  await starter.last.ended;
  assertEquals(session.health, { state: "ended", exitCode: 7, signal: null, endedBy: "exit" });
  assertEquals(await refusedCode(() => session.send(call("a"), "x")), "SESSION_ENDED");
  const { stdout, state, exitCode } = await session.read(call("a"), { waitMs: 30_000 });
  assertEquals([stdout, state, exitCode], ["last words", "ended", 7]);
  assertEquals((await session.end(call("a"))).endedBy, "exit");
});

test("an abort ends a wait, and neither the process nor its output", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter);
  const abort = new AbortController();
  const waiting = session.read(call("a"), { waitMs: 50_000, signal: abort.signal });
  await new Promise((resolve) => setTimeout(resolve, 1));
  abort.abort(new Error("cancelled"));
  await assertRejects(() => waiting, Error, "cancelled");
  starter.last.print("kept");
  assertEquals([session.health.state, (await session.read(call("a"))).stdout], ["running", "kept"]);
  const late = { signal: AbortSignal.abort(new Error("too late")) };
  await assertRejects(() => session.send(call("a"), "x", late), Error, "too late");
  await assertRejects(() => session.read(call("b"), late), Error, "too late");
  assertEquals([session.health.state, starter.last.received], ["running", []]);
  await session.close();
});

test("a start that fails leaves no session", limit, async () => {
  const starter = new ScriptedStarter();
  starter.refused.add(textOf("a"));
  assertEquals(await refusedCode(() => open(starter)), "LAUNCHER_INVALID");
});

for (
  const [option, endedBy] of [["idleTimeoutMs", "idle-limit"], ["lifetimeMs", "lifetime-limit"]] as const
) {
  test(`${option} ends the process`, limit, async () => {
    const starter = new ScriptedStarter();
    const session = await open(starter, { [option]: 20 });
    const { state } = await starter.last.ended.then(() => session.health);
    assertEquals([state, session.health.endedBy, session.health.signal], ["ended", endedBy, "SIGTERM"]);
  });
}

test("calls of others do not keep a session alive, and a wait of its own does", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter, { idleTimeoutMs: 60 });
  const reading = await session.read(call("a"), { waitMs: 200 });
  assertEquals(reading.state, "running");
  const others = setInterval(() => void session.read(call("a", "other")).catch(() => {}), 5);
  await starter.last.ended;
  clearInterval(others);
  assertEquals(session.health.endedBy, "idle-limit");
});

test("a new process after a restart has the limits of its session", limit, async () => {
  const starter = new ScriptedStarter();
  const session = await open(starter, { onChange: "restart", idleTimeoutMs: 30 });
  await session.read(call("b"));
  await starter.last.ended;
  assertEquals([starter.processes.length, session.health.endedBy], [2, "idle-limit"]);
});

test("the command is kept as it was", limit, async () => {
  const starter = new ScriptedStarter();
  const seen: (readonly string[])[] = [];
  const start = starter.start.bind(starter);
  starter.start = (authority, command, options) => {
    seen.push([...command]);
    return start(authority, command, options);
  };
  const command = ["repl"];
  const session = await open(starter, { command, onChange: "restart" });
  command.push("--evil");
  await session.read(call("b"));
  assertEquals(seen, [["repl"], ["repl"]]);
  await session.close();
  assertEquals(session.health.endedBy, "shutdown");
});
