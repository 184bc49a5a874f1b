import { hasEnded } from "../../../contracts/has_ended.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { codeIn, connectSessions, reportIn, type SessionPeer } from "./session_wire.ts";
import { CLIENTS, limit, sleeper, sleeping, surround, type Surroundings, textOf, until } from "./wire.ts";

const SHELL = ["sh", "-c", 'echo ready; while read -r line; do eval "$line"; done'];

function metaOf(place: Surroundings, state: string, threadId?: string): object {
  const value = { permissionProfile: { type: "managed" }, name: state };
  return {
    "codex/sandbox-state": value,
    "codex/sandbox-launcher": { codexExecutable: place.launcher },
    ...(threadId === undefined ? {} : { threadId }),
  };
}

/** Reads until `text` came; what came until then. */
async function readUntil(
  peer: SessionPeer,
  sessionId: string,
  { meta, text }: { readonly meta: object; readonly text: string },
): Promise<string> {
  for (let seen = "";;) {
    const report = reportIn(await peer.call("session_read", { sessionId, waitMs: 20_000 }, meta));
    seen += report.stdout;
    if (seen.includes(text)) return seen;
    assertEquals(report.state, "running", seen);
  }
}

for (const client of CLIENTS) {
  test(`${client}: a session is started, fed, read and ended`, limit, async () => {
    await using place = await surround();
    await using peer = await connectSessions(client, { home: place.folder });
    const names = (await peer.tools()).map(({ name }) => name);
    assertEquals(names, ["exec", "session_start", "session_send", "session_read", "session_end"]);
    const meta = metaOf(place, "a", "t-1");
    const args = { command: SHELL, waitMs: 20_000, directory: place.folder };
    const started = reportIn(await peer.call("session_start", args, meta));
    assertEquals([started.stdout, started.state, started.inputSent], ["ready\n", "running", false]);
    const { sessionId } = started;
    const input = "x=41; pwd; echo oops >&2\n";
    const sent = reportIn(await peer.call("session_send", { sessionId, input, waitMs: 20_000 }, meta));
    assertEquals([sent.inputSent, sent.sessionId, sent.restarted], [true, sessionId, false]);
    if (sent.stdout === "") await readUntil(peer, sessionId, { meta, text: place.folder });
    const next = { sessionId, input: "echo $((x + 1))\n", waitMs: 20_000 };
    assertEquals(reportIn(await peer.call("session_send", next, meta)).stdout, "42\n");
    const ended = reportIn(await peer.call("session_end", { sessionId }, meta));
    assertEquals([ended.state, ended.endedBy], ["ended", "request"]);
    assertEquals(codeIn(await peer.call("session_send", { sessionId, input: "x" }, meta)), "SESSION_ENDED");
    assertEquals((await place.launches()).length, 1);
  });

  test(`${client}: rule by rule, who may use a session`, limit, async () => {
    await using place = await surround();
    await using peer = await connectSessions(client, { home: place.folder });
    const [a, b] = [metaOf(place, "a", "A"), metaOf(place, "b", "A")];
    const { sessionId } = reportIn(await peer.call("session_start", { command: SHELL, waitMs: 20_000 }, a));
    const { "codex/sandbox-launcher": launcher, ...unlaunched } = b as Record<string, unknown>;
    const code = async (meta: object, args: object = {}): Promise<string> =>
      codeIn(await peer.call("session_send", { sessionId, input: "echo no\n", waitMs: 0, ...args }, meta));
    // without authority, of another thread, conflicting, incomplete: refused, and nothing ends
    assertEquals(await code({ threadId: "A" }), "STATE_MISSING");
    assertEquals(await code({ threadId: "A", "codex/sandbox-launcher": launcher }), "STATE_MISSING");
    assertEquals(await code({ ...b, "codex/sandbox-state-meta": { other: 1 } }), "STATE_CONFLICT");
    assertEquals(await code(metaOf(place, "a", "B")), "SESSION_UNKNOWN");
    assertEquals(await code(metaOf(place, "b", "B")), "SESSION_UNKNOWN");
    assertEquals(await code(metaOf(place, "a")), "SESSION_UNKNOWN");
    assertEquals(
      await code(metaOf(place, "a"), { threadId: "A", _meta: { threadId: "A" } }),
      "SESSION_UNKNOWN",
    );
    assertEquals(await code(a, { sessionId: "another" }), "SESSION_UNKNOWN");
    assertEquals(await code(a, { sessionId: 7 }), "SESSION_INVALID");
    assertEquals(await code({ ...a, threadId: 7 }), "SESSION_INVALID");
    assertEquals(await code(unlaunched), "LAUNCHER_MISSING");
    assertEquals(
      await code({ ...a, "codex/sandbox-launcher": { codexExecutable: "/bin/false" } }),
      "LAUNCHER_INVALID",
    );
    const alive = reportIn(await peer.call("session_read", { sessionId, waitMs: 0 }, a));
    assertEquals([alive.state, alive.stdout], ["running", ""]);
    // its own thread with another valid authority
    assertEquals(await code(b), "AUTHORITY_CHANGED");
    const gone = reportIn(await peer.call("session_read", { sessionId, waitMs: 0 }, a));
    assertEquals([gone.state, gone.endedBy, gone.stdout], ["ended", "authority-change", ""]);
    assertEquals((await place.launches()).length, 1);
  });

  test(`${client}: with restart the command runs anew under the new state, and says so`, limit, async () => {
    await using place = await surround();
    await using peer = await connectSessions(client, { home: place.folder, flags: ["--disable-network"] });
    const [a, b] = [metaOf(place, "a"), metaOf(place, "b")];
    const args = { command: SHELL, onChange: "restart", waitMs: 20_000 };
    const { sessionId } = reportIn(await peer.call("session_start", args, a));
    const send = { sessionId, input: "echo no\n", waitMs: 20_000 };
    const report = reportIn(await peer.call("session_send", send, b));
    assertEquals([report.restarted, report.inputSent, report.stdout], [true, false, "ready\n"]);
    assertEquals(report.modifiers, ["--sandbox-state-disable-network"]);
    assertEquals(
      reportIn(await peer.call("session_send", { ...send, input: "echo yes\n" }, b)).stdout,
      "yes\n",
    );
    const states = (await place.launches()).map((argv) => JSON.parse(argv[2] ?? "").name);
    assertEquals(states, ["a", "b"]);
  });

  test(`${client}: a cancelled start leaves no process and no session`, limit, async () => {
    await using place = await surround();
    await using peer = await connectSessions(client, { home: place.folder, flags: ["--max-sessions", "1"] });
    const abort = new AbortController();
    const args = { command: sleeper(place.folder), waitMs: 40_000 };
    const starting = assertRejects(() => peer.call("session_start", args, metaOf(place, "a"), abort.signal));
    const pids = await sleeping(place.folder);
    abort.abort();
    await starting;
    await until(() => pids.every(hasEnded));
    await until(async () => {
      const next = await peer.call("session_start", { command: ["sh"], waitMs: 0 }, metaOf(place, "a"));
      return next.isError !== true;
    });
    const oneMore = await peer.call("session_start", { command: ["sh"] }, metaOf(place, "a", "other"));
    assertEquals(codeIn(oneMore), "SESSION_LIMIT");
  });

  test(`${client}: a cancelled read ends the wait alone`, limit, async () => {
    await using place = await surround();
    await using peer = await connectSessions(client, { home: place.folder });
    const meta = metaOf(place, "a");
    const { sessionId } = reportIn(
      await peer.call("session_start", { command: SHELL, waitMs: 20_000 }, meta),
    );
    const abort = new AbortController();
    const reading = assertRejects(() =>
      peer.call("session_read", { sessionId, waitMs: 40_000 }, meta, abort.signal)
    );
    await peer.call("session_read", { sessionId, waitMs: 0 }, meta); // the other one has arrived
    abort.abort();
    await reading;
    const send = { sessionId, input: "echo still there\n", waitMs: 20_000 };
    assertEquals(reportIn(await peer.call("session_send", send, meta)).stdout, "still there\n");
  });

  test(`${client}: sessions end with the connection, and with a server that is killed`, limit, async () => {
    for (const killed of [false, true]) {
      await using place = await surround();
      const peer = await connectSessions(client, { home: place.folder });
      const command = sleeper(place.folder);
      reportIn(await peer.call("session_start", { command, waitMs: 0 }, metaOf(place, "a")));
      const pids = await sleeping(place.folder);
      if (killed) process.kill(peer.pid, "SIGKILL");
      else await peer[Symbol.asyncDispose]();
      await until(() => [...pids, peer.pid].every(hasEnded));
      await peer[Symbol.asyncDispose]();
    }
  });
}

test(
  "a start that asks for a task is an ordinary call, and leaves nothing when it is cancelled",
  limit,
  async () => {
    await using place = await surround();
    await using peer = await connectSessions("SDK v1", { home: place.folder });
    const args = { command: sleeper(place.folder), waitMs: 40_000 };
    const abort = new AbortController();
    const starting = assertRejects(() =>
      peer.callAsTask("session_start", args, metaOf(place, "a"), abort.signal)
    );
    const pids = await sleeping(place.folder);
    abort.abort();
    await starting;
    await until(() => pids.every(hasEnded));
    const answer = await peer.callAsTask(
      "session_start",
      { command: SHELL, waitMs: 20_000 },
      metaOf(place, "a"),
    );
    assertEquals(reportIn(answer).stdout, "ready\n");
  },
);

test("the operator's limit of output holds, for each stream", limit, async () => {
  await using place = await surround();
  const flags = ["--max-output", "10"];
  await using peer = await connectSessions("SDK v2 (2025)", { home: place.folder, flags });
  const meta = metaOf(place, "a");
  const start = { command: SHELL, waitMs: 20_000 };
  const { sessionId } = reportIn(await peer.call("session_start", start, meta));
  const send = { sessionId, input: "echo 0123456789; echo done >&2\n", waitMs: 20_000 };
  let report = reportIn(await peer.call("session_send", send, meta));
  // what came on the other stream can be told first
  while (report.stdout === "") {
    report = reportIn(await peer.call("session_read", { sessionId, waitMs: 20_000 }, meta));
  }
  assertEquals([report.stdout, report.truncated, report.droppedBytes], ["123456789\n", true, 1]);
});

test("the operator's limit of idle time holds", limit, async () => {
  await using place = await surround();
  const flags = ["--session-idle", "0.2"];
  await using peer = await connectSessions("SDK v2 (2025)", { home: place.folder, flags });
  const meta = metaOf(place, "a");
  const start = { command: SHELL, waitMs: 20_000, idleTimeoutMs: 1e9 };
  const { sessionId } = reportIn(await peer.call("session_start", start, meta));
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // each look is a use
    return reportIn(await peer.call("session_read", { sessionId, waitMs: 0 }, meta)).endedBy === "idle-limit";
  });
});

test("--timeout bounds sessions as well, unless they have a lifetime of their own", limit, async () => {
  await using place = await surround();
  await using peer = await connectSessions("SDK v2 (2025)", {
    home: place.folder,
    flags: ["--timeout", "0.1"],
  });
  const answer = await peer.call("session_start", { command: SHELL, waitMs: 20_000 }, metaOf(place, "a"));
  const { sessionId } = reportIn(answer);
  await until(async () => {
    const report = reportIn(
      await peer.call("session_read", { sessionId, waitMs: 20_000 }, metaOf(place, "a")),
    );
    return report.endedBy === "lifetime-limit";
  });
});

test("the tools say what they may do", limit, async () => {
  await using place = await surround();
  await using peer = await connectSessions("SDK v2 (2025)", { home: place.folder });
  const hints = Object.fromEntries((await peer.tools()).map(({ name, annotations }) => [name, annotations]));
  const runs = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  const looks = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
  assertEquals(hints, {
    exec: runs,
    session_start: runs,
    session_send: runs,
    session_read: looks,
    session_end: { ...looks, idempotentHint: true },
  });
  const unsaid = await peer.call("session_start", {}, metaOf(place, "a"));
  assertStringIncludes(textOf(unsaid), "COMMAND_INVALID: ");
});
