/**
 * The `_meta` that this host sends: is it, entry for entry, what the Codex CLI sends under the same policy? The
 * captures are what it sends; `codex/meta_test.ts` compares them with the CLI itself.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import type { TurnSandbox } from "../../../adapters/mcp/host/sandbox/turn_sandbox.ts";
import type { JsonObject } from "../../../core/json/value.ts";
import {
  HOST_KEYS,
  SANDBOX_LAUNCHER_KEY,
  SANDBOX_STATE_KEY,
  SANDBOX_STATE_META_KEY,
} from "../../../core/sandbox/keys.ts";
import { buildSandboxState, SANDBOX_MODES } from "../../../core/sandbox/presets.ts";
import { type Capture, captureNamed, CAPTURES_WITH_STATE } from "../../fixtures/captures/mod.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace } from "../../fixtures/codex_host/place.ts";
import { recordCalls, type RecordedCall } from "./recorders.ts";

const LIMIT = { timeout: 120_000 };

/** The CLI in the captures. */
const CAPTURED_CODEX = "/opt/codex/bin/codex";

/** What no caller may bring in. */
const STALE: JsonObject = {
  [SANDBOX_STATE_KEY]: { permissionProfile: { type: "disabled" } },
  [SANDBOX_STATE_META_KEY]: "another call's",
  [SANDBOX_LAUNCHER_KEY]: { codexExecutable: "/tmp/codex" },
};

/** What both names of the capability stand for. */
const NAMES = [SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY];

for (const name of NAMES) {
  test(
    `a stdio server that advertises ${name} gets what Codex sends, under every policy`,
    LIMIT,
    async () => {
      const captures = CAPTURES_WITH_STATE.filter(({ transport }) => transport === "stdio");
      assertEquals(SANDBOX_MODES.filter((mode) => !captures.some((one) => one.mode === mode)), []);
      const received = await recordCalls(async (host) => {
        const thread = host.openThread();
        for (const capture of captures) {
          thread.setSandbox(await turnOf(capture));
          await thread.callTool(name, "where", {}, { meta: rideAlong(capture), onProgress: () => {} });
        }
      });
      assertEquals(received[name]?.length, captures.length);
      for (const [index, capture] of captures.entries()) {
        await checkMeta(received[name]?.[index], capture);
      }
    },
  );
}

test("a server over HTTP on loopback gets the states and no launcher", LIMIT, async () => {
  const capture = captureNamed("http-loopback-workspace-write");
  const received = await recordCalls(async (host) => {
    const thread = host.openThread({ sandbox: await turnOf(capture) });
    const call = thread.callTool("http", "where", {}, { meta: rideAlong(capture), onProgress: () => {} });
    await call;
    assertEquals(call.authority.sent?.noLauncher, "not-stdio");
  });
  await checkMeta(received["http"]?.[0], capture);
});

test("a server that advertises neither name gets no host key, over stdio and over HTTP", LIMIT, async () => {
  const capture = captureNamed("not-opted-in");
  const received = await recordCalls(async (host) => {
    const thread = host.openThread({ sandbox: await turnOf(capture) });
    for (const name of ["neither", "http-neither"]) {
      const meta = { ...STALE, ...rideAlong(capture) };
      const call = thread.callTool(name, "where", {}, { meta, onProgress: () => {} });
      await call;
      assertEquals(call.authority.sent?.noState, "not-accepted");
    }
  });
  await checkMeta(received["neither"]?.[0], capture);
  await checkMeta(received["http-neither"]?.[0], capture);
});

test(
  "what a caller leaves under the host's keys is replaced, or removed where nothing applies",
  LIMIT,
  async () => {
    const capture = captureNamed("stdio-workspace-write");
    const whole = { ...STALE, ...rideAlong(capture) };
    const received = await recordCalls(async (host) => {
      const thread = host.openThread({ sandbox: await turnOf(capture) });
      const options = { meta: whole, onProgress: () => {} };
      await thread.callTool(SANDBOX_STATE_KEY, "where", {}, options);
      await thread.callTool("http", "where", {}, options);
      thread.setSandbox({ ...await turnOf(capture), environment: "elsewhere" });
      await thread.callTool(SANDBOX_STATE_KEY, "where", {}, options);
      thread.setSandbox(null);
      await thread.callTool(SANDBOX_STATE_KEY, "where", {}, options);
      await thread.callTool("http", "where", {}, options);
      assertEquals(whole, { ...STALE, ...rideAlong(capture) });
    });
    const [inTurn, elsewhere, outside] = received[SANDBOX_STATE_KEY] ?? [];
    await checkMeta(inTurn, capture);
    await checkMeta(received["http"]?.[0], captureNamed("http-loopback-workspace-write"));
    for (const call of [elsewhere, outside, received["http"]?.[1]]) {
      assertEquals(without(call!.meta, "progressToken"), rideAlong(capture));
    }
  },
);

test("a server of 2026-07-28 gets the same, and who speaks which protocol beside it", LIMIT, async () => {
  const capture = captureNamed("stdio-read-only");
  const received = await recordCalls(async (host) => {
    const thread = host.openThread({ sandbox: await turnOf(capture) });
    const options = { meta: { ...STALE, ...rideAlong(capture) }, onProgress: () => {} };
    await thread.callTool("modern", "exec", { command: ["/bin/true"] }, options);
  });
  const [call] = received["modern"] ?? [];
  const envelope = Object.keys(call!.meta).filter((key) => key.startsWith("io.modelcontextprotocol/"));
  assertEquals(call!.meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  await checkMeta({ ...call!, meta: without(call!.meta, ...envelope) }, capture);
});

/** What JavaScript would lose: integers, exponents, a sign, the order of keys, a key that is a setter, white space. */
const EXACT =
  `{ "permissionProfile":{"type":"managed","limit":18446744073709551615,"far":1e400,"zero":-0.0,"third":1.10},` +
  ` "10":1,"9":2,\t"__proto__":{"kept":true},"caf\\u00e9":"\\ud83d\\ude00", "file":"r\u00e9sum\u00e9 \u{1F600}"}`;

test("the text of a state file goes out byte for byte, under both keys", LIMIT, async () => {
  await using place = await createPlace();
  const file = join(place.folder, "state.json");
  const servers = [...NAMES, "http", "modern"];
  const texts = [EXACT, "null", "[1.0, 2]", EXACT.replaceAll(",", ",\n  ") + "\n"];
  const launcher = await realCodex();
  const received = await recordCalls(async (host) => {
    const thread = host.openThread();
    for (const text of texts) {
      await Deno.writeTextFile(file, text);
      thread.setSandbox({ stateText: await Deno.readTextFile(file), launcher });
      for (const name of servers) await thread.callTool(name, "exec", { command: ["/bin/true"] });
    }
  });
  for (const name of servers) {
    assertEquals(received[name]?.length, texts.length, name);
    for (const [index, text] of texts.entries()) {
      // a message is one line: breaks between tokens become spaces
      const sent = text.trim().replaceAll("\n", " ");
      const both = `"${SANDBOX_STATE_KEY}":${sent},"${SANDBOX_STATE_META_KEY}":${sent}`;
      assert(received[name]![index]!.text.includes(both), `${name} got ${received[name]![index]!.text}`);
    }
  }
});

/** The turn whose policy the capture shows, with the state as the preset builds it. */
async function turnOf({ mode, options }: Capture): Promise<TurnSandbox> {
  return {
    state: buildSandboxState(mode, options),
    launcher: await realCodex(),
    workspace: options.directory,
    writableRoots: mode === "workspace-write" ? [options.directory, ...options.writableRoots ?? []] : [],
  };
}

/** What of the capture is the caller's, or of a whole one when this one has only the host's keys. */
function rideAlong(capture: Capture): JsonObject {
  const whole = Object.hasOwn(capture.meta, "threadId") ? capture : captureNamed("not-opted-in");
  return without(whole.meta, "progressToken", ...HOST_KEYS);
}

/**
 * Checks a call against a capture: the same entries, in the same order but for the token, which is the connection's.
 */
async function checkMeta(call: RecordedCall | undefined, capture: Capture): Promise<void> {
  assert(call !== undefined, "the server got no call");
  const real = await realCodex();
  const meta = JSON.parse(JSON.stringify(call.meta).replaceAll(real, CAPTURED_CODEX)) as JsonObject;
  assertEquals(typeof meta["progressToken"], "number");
  const expected = { ...rideAlong(capture), ...without(capture.meta, "progressToken") };
  assertEquals(without(meta, "progressToken"), expected, capture.name);
  assertEquals(Object.keys(without(meta, "progressToken")), Object.keys(expected), capture.name);
}

function without(meta: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !keys.includes(key)));
}
