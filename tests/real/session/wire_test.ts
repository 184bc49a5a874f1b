/**
 * Sessions with the real launcher: threads, restart, and the death of the server, at the level of the protocol.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { buildSandboxState, type SandboxMode } from "../../../core/sandbox/presets.ts";
import {
  codeIn,
  connectSessions,
  reportIn,
  type SessionPeer,
} from "../../adapters/cli/serve/session_wire.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace, exists, type Place } from "../../fixtures/codex_host/place.ts";
import { LIMIT } from "../codex/turns.ts";
import { marked, untilNone } from "./processes.ts";

const CLIENT = "SDK v2 (2026-07-28)";

async function metaOf(place: Place, mode: SandboxMode, threadId: string): Promise<object> {
  const codex = await realCodex();
  return {
    threadId,
    "codex/sandbox-state": buildSandboxState(mode, {
      directory: place.workspace,
      linuxSandboxExecutable: codex,
    }),
    "codex/sandbox-launcher": { codexExecutable: codex },
  };
}

/** A shell that carries a mark, and has a child that does so too and holds none of its pipes. */
function shell(mark: string): readonly string[] {
  const idle = 'sh -c "while :; do sleep 1; done" $0 </dev/null >/dev/null 2>&1 & ';
  return ["sh", "-c", `${idle}echo ready; while read -r line; do eval "$line"; done`, mark];
}

async function start(
  peer: SessionPeer,
  mark: string,
  { meta, ...more }: { readonly meta: object; readonly onChange?: "restart" },
): Promise<string> {
  const args = { command: shell(mark), waitMs: 20_000, ...more };
  const report = reportIn(await peer.call("session_start", args, meta));
  assertEquals([report.stdout, report.stderr], ["ready\n", ""]);
  return report.sessionId;
}

test("two threads have sessions of their own, and each ends with its own policy alone", LIMIT, async () => {
  await using place = await createPlace();
  await using peer = await connectSessions(CLIENT, { home: place.home });
  const [markA, markB] = [crypto.randomUUID(), crypto.randomUUID()];
  const [metaA, metaB] = [
    await metaOf(place, "workspace-write", "A"),
    await metaOf(place, "workspace-write", "B"),
  ];
  const sessionA = await start(peer, markA, { meta: metaA });
  const sessionB = await start(peer, markB, { meta: metaB });
  const touch = (sessionId: string) => ({ sessionId, input: ": > touched && echo done\n", waitMs: 20_000 });
  assertEquals(codeIn(await peer.call("session_send", touch(sessionA), metaB)), "SESSION_UNKNOWN");
  const changedB = await metaOf(place, "read-only", "B");
  assertEquals(codeIn(await peer.call("session_send", touch(sessionA), changedB)), "SESSION_UNKNOWN");
  assertEquals(await exists(`${place.workspace}/touched`), false);
  assertEquals(codeIn(await peer.call("session_send", touch(sessionB), changedB)), "AUTHORITY_CHANGED");
  await untilNone(markB);
  assert(marked(markA).length >= 2);
  assertEquals(reportIn(await peer.call("session_send", touch(sessionA), metaA)).stdout, "done\n");
  assertEquals(await exists(`${place.workspace}/touched`), true);
  reportIn(await peer.call("session_end", { sessionId: sessionA }, metaA));
  await untilNone(markA);
});

test("with restart the new policy holds for the new process, and the old one is gone", LIMIT, async () => {
  await using place = await createPlace();
  await using peer = await connectSessions(CLIENT, { home: place.home });
  const mark = crypto.randomUUID();
  const [wide, narrow] = [await metaOf(place, "workspace-write", "A"), await metaOf(place, "read-only", "A")];
  const sessionId = await start(peer, mark, { meta: wide, onChange: "restart" });
  const touch = {
    sessionId,
    input: "touch touched 2>/dev/null && echo done || echo refused\n",
    waitMs: 20_000,
  };
  const before = marked(mark);
  const report = reportIn(await peer.call("session_send", touch, narrow));
  assertEquals([report.restarted, report.inputSent, report.stdout], [true, false, "ready\n"]);
  const after = marked(mark);
  assertEquals([before.length >= 2, after.length >= 2], [true, true]);
  assertEquals(before.filter((pid) => after.includes(pid)), []);
  assertEquals(reportIn(await peer.call("session_send", touch, narrow)).stdout, "refused\n");
  assertEquals(await exists(`${place.workspace}/touched`), false);
});

for (const mode of ["workspace-write", "danger-full-access"] as const) {
  test(`a server that is killed leaves nothing of a session under ${mode}`, LIMIT, async () => {
    await using place = await createPlace();
    const peer = await connectSessions(CLIENT, { home: place.home });
    const mark = crypto.randomUUID();
    await start(peer, mark, { meta: await metaOf(place, mode, "A") });
    assert(marked(mark).length >= 2);
    process.kill(peer.pid, "SIGKILL");
    await untilNone(mark);
    await peer[Symbol.asyncDispose]();
  });
}
