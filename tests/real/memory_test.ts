/**
 * The memory of `codex-mcp serve` stays flat: over many calls, under 1 GB of output, and for what a session writes.
 *
 * Resident memory is that of the whole process as Linux tells it, its peak included. V8 may use 64 MiB of heap in
 * these servers, so that a leak also ends them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { path } from "../fixtures/codex_host/servers.ts";
import { forgetPeak, memoryOf, MIB } from "../fixtures/faults/proc.ts";
import { ran, startPeer } from "../fixtures/faults/serve_peer.ts";
import { HEAP_64, soak } from "../fixtures/faults/soak.ts";
import { createStandIn } from "../fixtures/faults/stand_in.ts";

const LIMIT = { timeout: 300_000 };
const GIGABYTE = 1_000_000_000;
const CAP = 262_144;

/**
 * By how much the peak may lie above the beginning. Chunks of output are memory outside V8's heap, of which it lets
 * 64 MiB be allocated before it collects, and as much again while it does; that is most of it.
 */
const FLOAT = 160 * MIB;

/** Writes 1 GB of lines, to both streams in turn. */
const LARGE = [
  "sh",
  "-c",
  "yes 0123456789abcde | head -c 500000000; yes 0123456789abcde | head -c 500000000 >&2",
];

test(
  "1 GB of output: what is above the cap is read and dropped, and memory stays within bounds",
  LIMIT,
  async () => {
    await using launcher = await createStandIn();
    await using peer = await startPeer({ engine: HEAP_64 });
    ran(await peer.call(launcher.meta(), { command: ["head", "-c", "1000000", "/dev/zero"] }));
    const { now } = memoryOf(peer.pid);
    forgetPeak(peer.pid);
    const result = ran(await peer.call(launcher.meta(), { command: LARGE }));
    const { peak } = memoryOf(peer.pid);
    assertEquals([result.exitCode, result.truncated], [0, true]);
    assertEquals([String(result.stdout).length, String(result.stderr).length], [CAP, CAP]);
    report("1 GB of output", { now, peak });
    assert(peak - now < FLOAT, `from ${now} to ${peak} bytes`);
  },
);

test("1 GB of output of a session that nobody reads, and of one that somebody reads", LIMIT, async () => {
  await using launcher = await createStandIn();
  await using peer = await startPeer({ engine: HEAP_64 });
  const command = [
    "sh",
    "-c",
    "read -r line; yes 0123456789abcde | head -c 1000000000; echo end; read -r line",
  ];
  const start = async (): Promise<string> =>
    String(ran(await peer.call(launcher.meta(), { command, waitMs: 0 }, "session_start")).sessionId);
  const [unread, read] = [await start(), await start()];
  ran(await peer.call(launcher.meta(), { command: ["head", "-c", "1000000", "/dev/zero"] }));
  const { now } = memoryOf(peer.pid);
  forgetPeak(peer.pid);
  const use = (sessionId: string, more: object, tool: string) =>
    peer.call(launcher.meta(), { sessionId, waitMs: 30_000, ...more }, tool);
  await use(unread, { input: "go\n", waitMs: 0 }, "session_send");
  await use(read, { input: "go\n", waitMs: 0 }, "session_send");
  let seen = 0;
  for (let text = ""; !text.endsWith("end\n");) {
    const { stdout, droppedBytes } = ran(await use(read, {}, "session_read"));
    text = String(stdout);
    seen += text.length + Number(droppedBytes);
  }
  const rest = ran(await use(unread, { input: "\n" }, "session_send"));
  const { peak } = memoryOf(peer.pid);
  assert(String(rest.stdout).length <= CAP && Number(rest.droppedBytes) > 0);
  assert(seen > GIGABYTE * 0.9, `${seen} bytes`);
  report("1 GB of two sessions each", { now, peak });
  assert(peak - now < FLOAT, `from ${now} to ${peak} bytes`);
});

test(
  "2,000 calls with states of 60 KB: memory, descriptors and processes stay as they are",
  LIMIT,
  async () => {
    const { first, last } = await soak(2_000);
    report("2,000 calls", { now: first.resident, peak: last.resident });
    assertEquals([first.children, last.children, last.zombies], [1, 1, 0]);
    assert(last.descriptors <= first.descriptors, JSON.stringify([first, last]));
    assert(last.resident - first.resident < 24 * MIB, JSON.stringify([first, last]));
  },
);

test(
  "10,000 calls with states of 60 KB that start nothing: what is in use stays as it is",
  LIMIT,
  async () => {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "-A",
        "--v8-flags=--max-old-space-size=64,--expose-gc",
        "--config",
        path("deno.json"),
        path("tests/fixtures/faults/planned_calls.ts"),
        "10000",
      ],
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr).slice(-2_000));
    const { first, last, lengths, answers } = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals([lengths > 600_000_000, answers], [true, 10_001]);
    report("10,000 calls that start nothing", { now: first, peak: last });
    // the texts of the last calls are kept, 16 MiB of them, without the messages that they came in
    assert(first < 40 * MIB, `${first} bytes`);
    assert(last - first < 2 * MIB, `from ${first} to ${last} bytes`);
  },
);

/** For whoever wants to know how far from their bounds the figures are. */
function report(what: string, { now, peak }: { readonly now: number; readonly peak: number }): void {
  const [from, to] = [now, peak].map((bytes) => Math.round(bytes / MIB * 10) / 10);
  if (Deno.env.has("MEMORY_FIGURES")) console.error(`${what}: from ${from} to ${to} MiB`);
}
