/**
 * Mutated calls against the whole of `codex-mcp serve`: inside this process with a runner that only plans, many of
 * them, and against a real server whose launcher writes down what it was started with.
 *
 * @module
 */

import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { assert, assertEquals, fail } from "@std/assert";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { createExecServer } from "../../adapters/cli/serve/exec_server.ts";
import { exactStdin } from "../../adapters/mcp/server/exact_stdin.ts";
import type { SandboxResult } from "../../adapters/sandbox/result.ts";
import { planSandboxedCommand } from "../../core/sandbox/command.ts";
import { drawFrom } from "../core/json/spelling.ts";
import { chunks } from "../adapters/mcp/hostile_messages.ts";
import {
  corrupt,
  type Permit,
  permitsOf,
  soundLine,
  STEP,
  unsoundLine,
} from "../fixtures/faults/mutated_calls.ts";
import { startPeer } from "../fixtures/faults/serve_peer.ts";
import { BODIES, createStandIn } from "../fixtures/faults/stand_in.ts";
import { ENVELOPE, HANDSHAKE } from "./exact/servers.ts";

/** Far longer than a machine takes that is merely busy. */
const LIMIT = { timeout: 600_000 };
const MESSAGES = 200_000;
const CONNECTION = 200;
const GROUP = 8;
const REAL_MESSAGES = 1_500;
const LAUNCHER = "/opt/codex/bin/codex";
const SHAPE = "sandbox --sandbox-state-json --";

const DONE: SandboxResult = {
  exitCode: 0,
  signal: null,
  stdout: "",
  stderr: "",
  truncated: false,
  timedOut: false,
  sandboxed: true,
  setupFailed: false,
  modifiers: [],
};

/** What a server was seen to do. */
interface Seen {
  ran: number;
  permitted: number;
  answers: number;
}

/** A server in this process, fed through a stream; `planned` is what it would have started. */
class PlanningServer {
  readonly planned: Permit[] = [];
  readonly answered = new Map<unknown, number>();
  readonly #stdin = new PassThrough();
  readonly #connection: { close(): Promise<void> };

  constructor() {
    let rest = "";
    const stdout = new Writable({
      write: (chunk, _encoding, done) => {
        const lines = (rest + String(chunk)).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const { id } = JSON.parse(line);
          this.answered.set(id, (this.answered.get(id) ?? 0) + 1);
        }
        done();
      },
    });
    const { stdin, sourceTexts } = exactStdin({ stdin: this.#stdin, stdout });
    const runner = {
      run: (...[authority, command]: Parameters<typeof planSandboxedCommand>) => {
        const { executable, args } = planSandboxedCommand(authority, command);
        const [verb, flag, state = "", dashes, ...words] = args;
        this.planned.push({ launcher: executable, state, command: JSON.stringify(words) });
        // an assertion would be taken for a failing tool
        if (`${verb} ${flag} ${dashes}` !== SHAPE) this.planned.push({ launcher: "", state, command: "" });
        return Promise.resolve(DONE);
      },
      close: () => Promise.resolve(),
    };
    this.#connection = serveStdio(() => createExecServer({ runner, sourceTexts }), {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: () => {},
    });
  }

  /** Sends and waits until nothing more happens. */
  async send(pieces: Iterable<Uint8Array>): Promise<void> {
    for (const piece of pieces) if (piece.length > 0) this.#stdin.write(piece);
    for (let quiet = 0, before = -1; quiet < 3; before = this.answered.size) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = before === this.answered.size && this.#stdin.readableLength === 0 ? quiet + 1 : 0;
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

/** Takes what was run out of what was permitted, one by one. */
function settle(ran: readonly Permit[], permits: readonly Permit[], sent: () => string): void {
  const left = [...permits];
  for (const one of ran) {
    const at = left.findIndex((permit) =>
      permit.state === one.state && permit.command === one.command && permit.launcher === one.launcher
    );
    if (at < 0) fail(`${JSON.stringify(one).slice(0, 500)} ran, after ${sent()}`);
    left.splice(at, 1);
  }
}

async function converse(seed: number, seen: Seen): Promise<void> {
  const draw = drawFrom(seed);
  const modern = draw() < 0.5;
  const envelope = modern ? ENVELOPE : "";
  const server = new PlanningServer();
  const encoder = new TextEncoder();
  let serial = 1_000;
  if (!modern) await server.send([encoder.encode(HANDSHAKE)]);
  else await server.send([encoder.encode(`${soundLine(draw, { launcher: LAUNCHER, envelope, serial })}\n`)]);
  server.planned.length = 0;
  for (let sent = 0; sent < CONNECTION; sent += GROUP) {
    const sound: number[] = [];
    const lines = Array.from({ length: GROUP }, () => {
      const options = { launcher: LAUNCHER, envelope, serial: serial += STEP };
      if (draw() > 0.25) return unsoundLine(draw, options);
      sound.push(serial);
      return soundLine(draw, options);
    });
    let bytes: Uint8Array = encoder.encode(
      lines.map((line) => `${line}${draw() < 0.5 ? "\n" : "\r\n"}`).join(""),
    );
    const whole = draw() < 0.8;
    if (!whole) bytes = corrupt(bytes, draw);
    server.answered.clear();
    await server.send(chunks(bytes, draw));
    const permits = permitsOf(bytes);
    settle(server.planned, permits, () => new TextDecoder().decode(bytes));
    seen.ran += server.planned.length;
    seen.permitted += permits.length;
    seen.answers += server.answered.size;
    server.planned.length = 0;
    // a corrupted line end joins two lines, and a cancelled call has no answer
    const awaited = whole
      ? sound.filter((id) => !lines.some((line) => line.includes(`"requestId":${id}`)))
      : [];
    for (const id of awaited) assert(server.answered.has(id), `seed ${seed}: ${id} of ${lines.join("\n")}`);
  }
  // the connection has survived all that, and what it runs is still what is sent
  await server.send([
    encoder.encode(`\n${soundLine(drawFrom(1), { launcher: LAUNCHER, envelope, serial: 7 })}\n`),
  ]);
  assertEquals(server.answered.get(7), 1, `seed ${seed}: the connection is dead`);
  await server.close();
}

test(
  "200,000 mutated calls: nothing is planned under a state that was not sent, and each sound one is answered",
  LIMIT,
  async () => {
    const seen: Seen = { ran: 0, permitted: 0, answers: 0 };
    for (let sent = 0; sent < MESSAGES; sent += CONNECTION) await converse(sent, seen);
    // most of what may run does: the rest has ids that come twice, or no launcher
    assert(seen.ran > MESSAGES / 5 && seen.ran > seen.permitted * 0.6, JSON.stringify(seen));
  },
);

test(
  "a real server: every argument vector is of a call that was sent, and the server survives",
  LIMIT,
  async () => {
    await using launcher = await createStandIn(BODIES.records);
    await using peer = await startPeer();
    const draw = drawFrom(20261130);
    const permits: Permit[] = [];
    for (let sent = 0; sent < REAL_MESSAGES; sent += GROUP * 3) {
      const lines = Array.from({ length: GROUP * 3 }, (_, at) => {
        const options = { launcher: launcher.executable, envelope: "", serial: STEP * (sent + at) };
        return `${draw() < 0.3 ? soundLine(draw, options) : unsoundLine(draw, options)}\n`;
      });
      let bytes: Uint8Array = new TextEncoder().encode(lines.join(""));
      if (draw() < 0.2) bytes = corrupt(bytes, draw);
      permits.push(...permitsOf(bytes));
      for (const piece of chunks(bytes, draw)) if (piece.length > 0) await peer.send(piece);
      await peer.request("ping", "{}");
    }
    await peer.send("\n");
    const last = await peer.call(launcher.meta("9007199254740993"), { command: ["true", "last"] });
    assertEquals(last.result?.isError, false);
    const any = { launcher: "" }; // a path that was mutated may still lead to the one launcher there is
    permits.push({ ...any, state: "9007199254740993", command: '["true","last"]' });
    const vectors = await launcher.vectors();
    for (const vector of vectors) {
      assertEquals([vector[0], vector[1], vector[3]], ["sandbox", "--sandbox-state-json", "--"]);
    }
    const ran = vectors.map((vector) => ({
      ...any,
      state: vector[2] ?? "",
      command: JSON.stringify(vector.slice(4)),
    }));
    settle(ran, permits.map((permit) => ({ ...permit, ...any })), () => `${permits.length} permitted calls`);
    assert(ran.length > REAL_MESSAGES / 5, `${ran.length} commands ran`);
  },
);
