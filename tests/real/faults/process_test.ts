/**
 * Processes that go wrong under `codex-mcp serve`: killed in the middle, deaf to signals, closing what they should
 * not, reading nothing, too many.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { childrenOf, descriptorsOf } from "../../fixtures/faults/proc.ts";
import { type Peer, ran, startPeer } from "../../fixtures/faults/serve_peer.ts";
import { BODIES, createStandIn } from "../../fixtures/faults/stand_in.ts";
import { marked, untilNone } from "../session/processes.ts";

const LIMIT = { timeout: 60_000 };

/** A command that carries a mark, in a process and in a child of it, and does not end by itself. */
function idle(mark: string): readonly string[] {
  return ["sh", "-c", 'sh -c "while :; do sleep 1; done" "$0" & while :; do sleep 1; done', mark];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** What must hold after any fault: the next call works, nothing is left and nothing waits to be reaped. */
async function checkHealth(peer: Peer, meta: string): Promise<void> {
  const { exitCode, stdout } = ran(await peer.call(meta, { command: ["echo", "still here"] }));
  assertEquals([exitCode, stdout], [0, "still here\n"]);
  await until(() => childrenOf(peer.pid).length <= 1); // the watchdog stays
  assertEquals(childrenOf(peer.pid).filter(({ state }) => state === "Z"), []);
}

test("SIGKILL to the launcher: the result says so, and its command is ended", LIMIT, async () => {
  await using launcher = await createStandIn(BODIES.waits);
  await using peer = await startPeer();
  const mark = crypto.randomUUID();
  const call = peer.call(launcher.meta(), { command: idle(mark) });
  await until(() => marked(mark).length >= 3); // the launcher carries it too
  process.kill(Number(readFileSync(join(launcher.folder, "launcher"), "utf8")), "SIGKILL");
  const { exitCode, signal, timedOut, setupFailed } = ran(await call);
  assertEquals([exitCode, signal, timedOut, setupFailed], [null, "SIGKILL", false, "unknown"]);
  await untilNone(mark);
  await checkHealth(peer, launcher.meta());
});

test("SIGKILL to the command: the launcher's own exit status is the result", LIMIT, async () => {
  await using launcher = await createStandIn(BODIES.waits);
  await using peer = await startPeer();
  const script = 'kill -KILL "$$"';
  const answer = await peer.call(launcher.meta(), { command: ["sh", "-c", script] });
  assertEquals([ran(answer).exitCode, ran(answer).signal, answer.result?.isError], [137, null, true]);
  await using direct = await createStandIn();
  const other = ran(await peer.call(direct.meta(), { command: ["sh", "-c", script] }));
  assertEquals([other.exitCode, other.signal], [null, "SIGKILL"]);
  await checkHealth(peer, direct.meta());
});

test("a group that is deaf to TERM and holds the pipes is gone when the time is up", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const mark = crypto.randomUUID();
  const deaf = `trap '' TERM INT HUP; echo deaf; while :; do sleep 0.2; done`;
  const command = ["sh", "-c", `${deaf} & ${deaf}`, mark];
  const { timedOut, stdout } = ran(await peer.call(launcher.meta(), { command, timeoutMs: 500 }));
  assertEquals([timedOut, String(stdout).startsWith("deaf\n")], [true, true]);
  assertEquals(marked(mark), []);
  await checkHealth(peer, launcher.meta());
});

test("one that left the group and holds the pipes does not hold up the answer", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const mark = crypto.randomUUID();
  const script = `setsid sh -c "trap '' TERM HUP; while :; do sleep 0.2; done" "$0" & echo started`;
  const { exitCode, stdout, truncated } = ran(
    await peer.call(launcher.meta(), { command: ["sh", "-c", script, mark] }),
  );
  assertEquals([exitCode, stdout, truncated], [0, "started\n", true]);
  const left = marked(mark);
  assert(left.length > 0);
  for (const pid of left) process.kill(pid, "SIGKILL");
  await untilNone(mark);
  await checkHealth(peer, launcher.meta());
});

test("a command that closes its output and lives on is waited for", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const script = "echo out; echo err >&2; exec >&- 2>&- <&-; sleep 1; exit 7";
  const result = ran(await peer.call(launcher.meta(), { command: ["sh", "-c", script] }));
  assertEquals([result.exitCode, result.stdout, result.stderr, result.truncated], [
    7,
    "out\n",
    "err\n",
    false,
  ]);
  const endless = ["sh", "-c", "exec >&- 2>&-; while :; do sleep 1; done"];
  assertEquals(ran(await peer.call(launcher.meta(), { command: endless, timeoutMs: 500 })).timedOut, true);
  await checkHealth(peer, launcher.meta());
});

test("a session that closes its output goes on and still ends", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const mark = crypto.randomUUID();
  const command = ["sh", "-c", "echo ready; exec >&- 2>&-; read -r code; exit $code", mark];
  const started = ran(await peer.call(launcher.meta(), { command, waitMs: 30_000 }, "session_start"));
  assertEquals([started.state, started.stdout], ["running", "ready\n"]);
  const { sessionId } = started;
  await until(() => pipesOf(marked(mark)[0]) === 1);
  const use = { sessionId, waitMs: 30_000 };
  const ended = ran(await peer.call(launcher.meta(), { ...use, input: "9\n" }, "session_send"));
  assertEquals([ended.state, ended.exitCode, ended.endedBy], ["ended", 9, "exit"]);
  await untilNone(mark);
  await checkHealth(peer, launcher.meta());
});

/** How many pipes a process has open as its first three descriptors. */
function pipesOf(pid: number | undefined): number {
  return [0, 1, 2].filter((fd) => {
    try {
      return Deno.readLinkSync(`/proc/${pid}/fd/${fd}`).startsWith("pipe:");
    } catch {
      return false;
    }
  }).length;
}

test("9 MB of input that nobody reads neither hold up nor stay", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const stdin = "x".repeat(9_000_000);
  const early = ran(await peer.call(launcher.meta(), { command: ["true"], stdin }));
  assertEquals(early.exitCode, 0);
  const command = ["sh", "-c", "while :; do sleep 1; done"];
  assertEquals(ran(await peer.call(launcher.meta(), { command, stdin, timeoutMs: 500 })).timedOut, true);
  const before = descriptorsOf(peer.pid);
  const read = ran(await peer.call(launcher.meta(), { command: ["wc", "-c"], stdin }));
  assertEquals(String(read.stdout).trim(), "9000000");
  assertEquals(descriptorsOf(peer.pid), before);
  await checkHealth(peer, launcher.meta());
});

test("200 children that their parent leaves behind are gone with the answer", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const mark = crypto.randomUUID();
  const bomb = 'i=0; while [ $i -lt 200 ]; do sh -c "sleep $1; :" "$0" & i=$((i+1)); done';
  const fork = async (
    seconds: string,
    rest: string,
    more: object,
  ): Promise<Readonly<Record<string, unknown>>> =>
    ran(await peer.call(launcher.meta(), { command: ["sh", "-c", bomb + rest, mark, seconds], ...more }));
  assertEquals((await fork("0.05", "; wait; echo all", {})).stdout, "all\n");
  assertEquals(marked(mark), []);
  assertEquals((await fork("600", "; echo left", {})).stdout, "left\n");
  assertEquals(marked(mark), []);
  assertEquals((await fork("600", "; echo wait; wait", { timeoutMs: 2_000 })).timedOut, true);
  assertEquals(marked(mark), []);
  await checkHealth(peer, launcher.meta());
});

test(
  "64 calls at a time, half of them cancelled: each other one is answered and nothing is left",
  LIMIT,
  async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer();
    await checkHealth(peer, launcher.meta());
    const before = descriptorsOf(peer.pid);
    const mark = crypto.randomUUID();
    const kept = Array.from(
      { length: 32 },
      () => peer.call(launcher.meta(), { command: ["sh", "-c", "sleep 0.3; echo done", mark] }),
    );
    for (let id = 0; id < 32; id++) {
      const params = `{"name":"exec","arguments":{"command":${
        JSON.stringify(idle(mark))
      }},"_meta":{${launcher.meta()}}}`;
      await peer.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`);
    }
    await until(() => marked(mark).length >= 64);
    for (let id = 0; id < 32; id++) {
      await peer.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`);
    }
    for (const answer of await Promise.all(kept)) assertEquals(ran(answer).stdout, "done\n");
    await untilNone(mark);
    await checkHealth(peer, launcher.meta());
    await until(() => descriptorsOf(peer.pid) <= before);
  },
);
