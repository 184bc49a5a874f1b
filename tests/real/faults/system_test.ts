/**
 * A system that refuses: no reader, no descriptors, no space, a launcher that goes away.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { chmod, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { childrenOf, descriptorsOf } from "../../fixtures/faults/proc.ts";
import { type Answer, type Peer, ran, refusedWith, startPeer } from "../../fixtures/faults/serve_peer.ts";
import { BODIES, createStandIn, type StandIn } from "../../fixtures/faults/stand_in.ts";
import { marked, untilNone } from "../session/processes.ts";

const LIMIT = { timeout: 60_000 };

/** A command that carries a mark and does not end by itself. */
function idle(mark: string): readonly string[] {
  return ["sh", "-c", "while :; do sleep 1; done", mark];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test(
  "a host that stops reading in the middle of a call: the server ends what runs, and itself",
  LIMIT,
  async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer();
    const mark = crypto.randomUUID();
    const running = peer.call(launcher.meta(), { command: idle(mark) }).then(() => "answered", () => "gone");
    await until(() => marked(mark).length > 0);
    await peer.hangUp();
    // its input stays open: the answer that nobody reads is all that the server can notice
    await peer.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    assertEquals((await peer.ended).code, 0);
    await untilNone(mark);
    assertEquals(await running, "gone");
  },
);

test(
  "without descriptors calls are refused with a code, and work when there are some again",
  LIMIT,
  async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer({ before: "ulimit -Sn 64; ulimit -Hn 64" });
    assertEquals(ran(await peer.call(launcher.meta(), { command: ["true"] })).exitCode, 0);
    const before = descriptorsOf(peer.pid);
    const mark = crypto.randomUUID();
    const held = join(launcher.folder, "held");
    const command = ["sh", "-c", `while ! [ -e "$1" ]; do sleep 0.1; done; echo done`, mark, held];
    const calls = Array.from({ length: 60 }, () => peer.call(launcher.meta(), { command }));
    const first: Answer[] = [];
    for (const call of calls) void call.then((answer) => first.push(answer));
    // those that found no descriptors are refused while the others run
    await until(() => first.length >= 30);
    const refusals = first.map(refusedWith);
    for (const code of refusals) assertMatch(code, /^(SPAWN_FAILED|LAUNCHER_INVALID)$/);
    await writeFile(held, "");
    const answers = await Promise.all(calls);
    const outputs = answers.filter((answer) => refusedWith(answer) === "").map((answer) =>
      ran(answer).stdout
    );
    assert(outputs.length > 3, `${outputs.length} ran`);
    assertEquals(new Set(outputs), new Set(["done\n"]));
    await untilNone(mark);
    await until(() => descriptorsOf(peer.pid) <= before);
    for (let times = 0; times < 20; times++) {
      assertEquals(ran(await peer.call(launcher.meta(), { command: ["true"] })).exitCode, 0);
    }
    assertEquals(descriptorsOf(peer.pid) <= before, true);
    assertEquals(childrenOf(peer.pid).length, 1);
  },
);

test(
  "a full disk under standard error: refusals are still answered, and calls still run",
  LIMIT,
  async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer({ redirect: "2>/dev/full" });
    const twice = `{"name":"exec","_meta":{${launcher.meta()},"codex/sandbox-state":1}}`;
    assertEquals(refusedWith(await peer.request("tools/call", twice)), "STATE_CONFLICT");
    assertEquals(ran(await peer.call(launcher.meta(), { command: ["echo", "hi"] })).stdout, "hi\n");
  },
);

test("a command that meets a full disk or its file size limit says so itself", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer();
  const full = ran(
    await peer.call(launcher.meta(), { command: ["sh", "-c", "head -c 10 /dev/zero > /dev/full"] }),
  );
  assert(full.exitCode !== 0 && /space/i.test(String(full.stderr)), JSON.stringify(full));
  const file = join(launcher.folder, "large");
  const script = 'ulimit -f 8; head -c 100000 /dev/zero > "$1"; echo "status $?"';
  const limited = ran(await peer.call(launcher.meta(), { command: ["sh", "-c", script, "sh", file] }));
  assertMatch(String(limited.stdout), /^status [1-9]/);
  // a pipe knows no such limit
  const large = await peer.call(launcher.meta(), {
    command: ["sh", "-c", "ulimit -f 8; head -c 100000 /dev/zero | tr '\\0' x"],
  });
  assertEquals(String(ran(large).stdout).length, 100_000);
});

/** What may happen to a launcher between two calls; `false` where the file itself is the same as before afterwards. */
const CHANGES: Readonly<Record<string, (launcher: StandIn) => Promise<void>>> = {
  "removed": ({ executable }) => rm(executable),
  "moved away": ({ executable }) => rename(executable, `${executable}.old`),
  "replaced by another": (launcher) => launcher.replace(`touch "$here/ran"; ${BODIES.becomes} # other`),
  "written over": async ({ executable, folder }) =>
    await writeFile(executable, `#!/bin/sh\ntouch '${folder}/ran'\nexit 0\n`),
  "no longer executable": ({ executable }) => chmod(executable, 0o644),
  "a folder": async ({ executable }) => {
    await rm(executable);
    await Deno.mkdir(executable);
  },
  "a link to another": async ({ executable, folder }) => {
    await writeFile(join(folder, "other"), `#!/bin/sh\ntouch '${folder}/ran'\nexit 0\n`, { mode: 0o755 });
    await rm(executable);
    await symlink(join(folder, "other"), executable);
  },
  "a dangling link": async ({ executable }) => {
    await rm(executable);
    await symlink("/nowhere", executable);
  },
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`a launcher that is ${name} between two calls is refused, in a session too`, LIMIT, async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer();
    const command = ["sh", "-c", "while read -r line; do $line; done"];
    const { sessionId } = ran(await peer.call(launcher.meta(), { command }, "session_start"));
    assertEquals(ran(await peer.call(launcher.meta(), { command: ["true"] })).exitCode, 0);
    await change(launcher);
    const touch = ["touch", join(launcher.folder, "ran")];
    await refused(peer, launcher, { command: touch });
    await refused(peer, launcher, { sessionId, input: `${touch.join(" ")}\n` }, "session_send");
    await Deno.lstat(join(launcher.folder, "ran")).then(() => assert(false, "it ran"), () => undefined);
    await using other = await createStandIn();
    assertEquals(ran(await peer.call(other.meta(), { command: ["true"] })).exitCode, 0);
  });
}

async function refused(peer: Peer, launcher: StandIn, args: object, tool = "exec"): Promise<void> {
  assertEquals(refusedWith(await peer.call(launcher.meta(), args, tool)), "LAUNCHER_INVALID");
}

test("a launcher that goes away after it answered the probe is refused with a code", LIMIT, async () => {
  await using launcher = await createStandIn(BODIES.becomes, 'rm -f "$0"; exit 0');
  await using peer = await startPeer();
  const answer = await peer.call(launcher.meta(), { command: ["true"] });
  assertMatch(refusedWith(answer), /^(PROGRAM_NOT_FOUND|LAUNCHER_INVALID)$/);
});

test("a launcher that was replaced while it answered the probe is not used", LIMIT, async () => {
  await using launcher = await createStandIn(BODIES.becomes, 'mv "$here/other" "$0"; exit 0');
  const ran = join(launcher.folder, "ran");
  await writeFile(join(launcher.folder, "other"), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  await using peer = await startPeer();
  const answer = await peer.call(launcher.meta(), { command: ["true"] });
  assertEquals(refusedWith(answer), "LAUNCHER_INVALID");
  await Deno.lstat(ran).then(() => assert(false, "the other one ran"), () => undefined);
});

test(
  "a full disk under standard output: the server ends what runs, and itself",
  { timeout: 20_000 },
  async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer({ redirect: ">/dev/full" });
    const mark = crypto.randomUUID();
    const params =
      `{"name":"exec","arguments":{"command":["sh","-c","while :; do sleep 1; done","${mark}"]},"_meta":{${launcher.meta()}}}`;
    const hello =
      '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"faults","version":"1"}}';
    await peer.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":${hello}}\n`);
    await peer.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}\n`).catch(() =>
      undefined
    );
    // its input stays open
    assertEquals((await peer.ended).code, 0);
    await untilNone(mark);
    assertEquals(marked(mark), []);
  },
);
