/**
 * A clock that jumps by days, forth and back: no deadline of `codex-mcp serve` may follow it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { type Peer, ran, startPeer } from "../../fixtures/faults/serve_peer.ts";
import { createStandIn } from "../../fixtures/faults/stand_in.ts";
import { untilNone } from "../session/processes.ts";

const LIMIT = { timeout: 60_000 };

function start(): Promise<Peer> {
  return startPeer({ program: "tests/fixtures/faults/jumping_clock.ts" });
}

test("a time limit ends what takes too long, and nothing else", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await start();
  const mark = crypto.randomUUID();
  const endless = ["sh", "-c", "while :; do sleep 1; done", mark];
  for (let times = 0; times < 3; times++) {
    assertEquals(ran(await peer.call(launcher.meta(), { command: endless, timeoutMs: 300 })).timedOut, true);
    const brief = { command: ["sh", "-c", "sleep 0.3; echo done"], timeoutMs: 50_000 };
    const { timedOut, stdout } = ran(await peer.call(launcher.meta(), brief));
    assertEquals([timedOut, stdout], [false, "done\n"]);
  }
  await untilNone(mark);
});

test("a group that ends within its grace is given it, one that does not is ended", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await start();
  for (let times = 0; times < 3; times++) {
    const polite = ["sh", "-c", "trap 'sleep 0.4; echo bye; exit 5' TERM; while :; do sleep 0.1; done"];
    const left = ran(await peer.call(launcher.meta(), { command: polite, timeoutMs: 300 }));
    assertEquals([left.stdout, left.exitCode, left.timedOut], ["bye\n", 5, true]);
  }
  const deaf = ["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"];
  const ended = ran(await peer.call(launcher.meta(), { command: deaf, timeoutMs: 300 }));
  assertEquals([ended.signal, ended.timedOut], ["SIGKILL", true]);
});

test("a session lives as long as it may, and a reader waits as long as it said", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await start();
  const command = ["sh", "-c", "echo ready; while read -r line; do sleep 0.3; echo $line; done"];
  const long = ran(await peer.call(launcher.meta(), { command, waitMs: 30_000 }, "session_start"));
  const brief = ran(
    await peer.call(launcher.meta(), { command, waitMs: 30_000, idleTimeoutMs: 300 }, "session_start"),
  );
  for (let times = 0; times < 3; times++) {
    const input = { sessionId: long.sessionId, input: `${times}\n`, waitMs: 30_000 };
    const { state, stdout } = ran(await peer.call(launcher.meta(), input, "session_send"));
    assertEquals([state, stdout], ["running", `${times}\n`]);
  }
  const before = performance.now();
  const read = ran(
    await peer.call(launcher.meta(), { sessionId: long.sessionId, waitMs: 400 }, "session_read"),
  );
  assertEquals([read.state, read.stdout], ["running", ""]);
  assert(performance.now() - before >= 390);
  const over = ran(await peer.call(launcher.meta(), { sessionId: brief.sessionId }, "session_end"));
  assertEquals([over.state, over.endedBy], ["ended", "idle-limit"]);
});
