import { Client } from "@modelcontextprotocol/client";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  attempt,
  type Attempted,
  type AttemptOptions,
} from "../../../../../adapters/mcp/host/connect/attempt.ts";
import { DiagnosticsLog } from "../../../../../adapters/mcp/host/connect/stdio/diagnostics_log.ts";
import type { EraMemory } from "../../../../../adapters/mcp/host/connect/era_plan.ts";
import { hostOptions, legacyServer, scriptEntry } from "./bench.ts";

const limit = { timeout: 120_000 };

interface Tried extends Attempted {
  /** How often the server was started. */
  readonly starts: number;
  /** The era it was found in, or why it was not. */
  readonly found: string;
}

/** One attempt with a script that writes a line to standard error at each start; everything is ended after it. */
async function tryOnce(script: string, { startupTimeoutMs = 60_000, memory = null, ...more }: {
  readonly startupTimeoutMs?: number;
  readonly memory?: EraMemory;
} & Partial<AttemptOptions> = {}): Promise<Tried> {
  const endings: Promise<void>[] = [];
  const log = new DiagnosticsLog();
  const attempted = await attempt(scriptEntry(`echo start >&2; ${script}`, { startupTimeoutMs }), {
    ...hostOptions(),
    log,
    memory,
    after: Promise.resolve(),
    signal: new AbortController().signal,
    onToolsChanged: () => {},
    onEnding: (ending) => endings.push(ending),
    ...more,
  });
  const { outcome } = attempted;
  const found = "client" in outcome ? outcome.client.getProtocolEra() ?? "none" : outcome.failure.reason;
  if ("client" in outcome) await outcome.client.close();
  await Promise.all(endings);
  return { ...attempted, found, starts: log.text().split("start\n").length - 1 };
}

test(
  "each kind of server is found with as few starts as it takes, and what was learned is given back",
  limit,
  async () => {
    const dies = await tryOnce(legacyServer({ onDiscover: "exit 1" }));
    assertEquals([dies.found, dies.memory, dies.starts], ["legacy", "legacy", 2]);
    const answers = await tryOnce(legacyServer());
    assertEquals([answers.found, answers.memory, answers.starts], ["legacy", null, 1]);
    const known = await tryOnce(legacyServer({ onDiscover: "exit 1" }), { memory: "legacy" });
    assertEquals([known.found, known.memory, known.starts], ["legacy", "legacy", 1]);
    const crashes = await tryOnce("exit 3");
    assertEquals([crashes.found, crashes.memory, crashes.starts], ["ended", null, 2]);
    const forgotten = await tryOnce("exit 3", { memory: "legacy" });
    assertEquals([forgotten.found, forgotten.memory, forgotten.starts], ["ended", null, 1]);
    const silent = await tryOnce(legacyServer({ onDiscover: ":" }), { startupTimeoutMs: 6_000 });
    assertEquals([silent.found, silent.memory, silent.starts], ["legacy", "legacy", 1]);
  },
);

test(
  "a server of 2026-07-28 alone that is slow to start is started once more, and waited for",
  limit,
  async () => {
    const discovered =
      `{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete","ttlMs":0,` +
      `"cacheScope":"private"}`;
    const script = legacyServer({
      before: "sleep 2.5",
      onDiscover: `printf '{"jsonrpc":"2.0","id":%s,"result":${discovered}}\\n' "$id"`,
      onInitialize: `printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no"}}\\n' "$id"`,
    });
    const slow = await tryOnce(script, { startupTimeoutMs: 8_000 });
    assertEquals([slow.found, slow.memory, slow.starts], ["modern", null, 2]);
  },
);

test("a server that never answers gets two starts and no more time than it has", limit, async () => {
  const since = performance.now();
  const hangs = await tryOnce("while :; do sleep 1; done", { startupTimeoutMs: 3_000 });
  assertEquals([hangs.found, hangs.memory, hangs.starts], ["timeout", "legacy", 2]);
  assert(performance.now() - since < 30_000);
});

test("what has to be over first is waited for, within the time", limit, async () => {
  let over: () => void = () => {};
  const after = new Promise<void>((resolve) => over = resolve);
  const trying = tryOnce(legacyServer(), { after });
  setTimeout(over, 100);
  assertEquals((await trying).starts, 1);
  const stuck = await tryOnce(legacyServer(), { after: new Promise(() => {}), startupTimeoutMs: 200 });
  assertEquals([stuck.found, stuck.starts], ["timeout", 0]);
});

test("a signal ends it at once", limit, async () => {
  const controller = new AbortController();
  const trying = tryOnce("while :; do sleep 1; done", { signal: controller.signal });
  setTimeout(() => controller.abort(), 200);
  const { outcome } = await trying;
  assert("error" in outcome && outcome.error.message.endsWith("the connection was closed"));
});

test("the client is of the given class, and prepared before it connects", limit, async () => {
  class Own extends Client {}
  const prepared: Client[] = [];
  const { outcome } = await tryOnce(legacyServer(), {
    client: Own,
    prepare: (client) => void prepared.push(client),
  });
  assert("client" in outcome && outcome.client instanceof Own);
  assertEquals(prepared, [outcome.client]);
});
