/**
 * Calls that must not run, on `codex-mcp serve` with the real Codex CLI at hand: withheld, forged, in conflict, too
 * large. Each time nothing runs, neither the command nor a decoy that is first on `PATH`.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "../../core/json/value.ts";
import { realCodex } from "../fixtures/codex_host/codex.ts";
import { startHttpServer } from "../fixtures/codex_host/http_server.ts";
import { createPlace, exists, type Place } from "../fixtures/codex_host/place.ts";
import { LIMIT } from "./codex/turns.ts";
import { metaFor, openSession, type Session, type ToolAnswer } from "./session.ts";

const STATE = "codex/sandbox-state";
const ALIAS = "codex/sandbox-state-meta";
const LAUNCHER = "codex/sandbox-launcher";

/** A server with a decoy first on its `PATH`, and files that tell whether anything ran. */
interface Trap extends AsyncDisposable {
  readonly place: Place;
  readonly session: Session;
  /** Arguments of a call that would leave a file. */
  readonly args: { readonly command: readonly string[] };
  /** Fails when the command or the decoy ran. */
  nothingRan(): Promise<void>;
}

async function setTrap(...flags: readonly string[]): Promise<Trap> {
  const place = await createPlace();
  const [ran, decoyed] = [join(place.workspace, "ran"), join(place.folder, "decoyed")];
  await plant(join(place.outside, "codex"), decoyed);
  const environment = { PATH: `${place.outside}:${Deno.env.get("PATH")}` };
  const session = await openSession(place, { flags, environment }).catch(async (error) => {
    await place[Symbol.asyncDispose]();
    throw error;
  });
  return {
    place,
    session,
    args: { command: ["/bin/sh", "-c", ': > "$1"', "sh", ran] },
    nothingRan: async () => {
      assertEquals([await exists(ran), await exists(decoyed)], [false, false], "the command, the decoy");
    },
    [Symbol.asyncDispose]: async () => {
      await session[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** A launcher that answers the probe, leaves a mark, and runs what follows `--` without a sandbox. */
async function plant(file: string, mark: string): Promise<void> {
  const run = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';
  await Deno.writeTextFile(file, `#!/bin/sh\n: > '${mark}'\n[ "$4" = --help ] && exit 0\n${run}\n`);
  await Deno.chmod(file, 0o755);
}

function checkRefusal(answer: ToolAnswer, code: string): string {
  const text = answer.content.map((part) => part.text).join("\n");
  assertEquals(answer.isError, true, text);
  assert(text.startsWith(`${code}: `), text);
  assertEquals(answer.structuredContent, undefined);
  return text;
}

/** What a host might send, from the `_meta` that is right, and the code that refuses it. */
const REFUSED: Readonly<
  Record<string, {
    readonly code: string;
    readonly forge: (meta: JsonObject, place: Place) => JsonObject | Promise<JsonObject>;
  }>
> = {
  "no launcher": { code: "LAUNCHER_MISSING", forge: (meta) => without(meta, LAUNCHER) },
  "a relative launcher": {
    code: "LAUNCHER_INVALID",
    forge: (meta) => withLauncher(meta, "codex"),
  },
  "a launcher by a relative path": {
    code: "LAUNCHER_INVALID",
    forge: (meta) => withLauncher(meta, "./outside/codex"),
  },
  "a directory as the launcher": {
    code: "LAUNCHER_INVALID",
    forge: async (meta) => withLauncher(meta, dirname(await realCodex())),
  },
  "a launcher that is not there": {
    code: "LAUNCHER_INVALID",
    forge: async (meta) => withLauncher(meta, `${await realCodex()}-not`),
  },
  "a batch file as the launcher": {
    code: "LAUNCHER_INVALID",
    forge: async (meta, place) => {
      const file = join(place.folder, "codex.cmd");
      await plant(file, join(place.folder, "decoyed"));
      return withLauncher(meta, file);
    },
  },
  "a program that fails the probe": {
    code: "LAUNCHER_INVALID",
    forge: (meta) => withLauncher(meta, "/bin/false"),
  },
  "a launcher that is a text": {
    code: "LAUNCHER_INVALID",
    forge: async (meta) => ({ ...meta, [LAUNCHER]: await realCodex() }),
  },
  "two states that differ": {
    code: "STATE_CONFLICT",
    forge: async (meta, place) => ({
      ...meta,
      [ALIAS]: (await metaFor(place, "read-only"))[STATE] as JsonValue,
    }),
  },
  "no state": { code: "STATE_MISSING", forge: (meta) => without(without(meta, STATE), ALIAS) },
  "an empty _meta": { code: "STATE_MISSING", forge: () => ({}) },
};

for (const [what, { code, forge }] of Object.entries(REFUSED)) {
  for (const flags of [[], ["--allow-unsandboxed"]]) {
    if (flags.length > 0 && code === "LAUNCHER_MISSING") continue;
    test(
      `${what} is refused${flags.length > 0 ? " with the operator's opt-out, too" : ""}`,
      LIMIT,
      async () => {
        await using trap = await setTrap(...flags);
        const meta = await forge(await trap.session.meta("danger-full-access"), trap.place);
        checkRefusal(await trap.session.call(trap.args, meta), code);
        await trap.nothingRan();
        // the same call with the right metadata runs: it was the metadata that was refused
        const answer = await trap.session.call(trap.args, await trap.session.meta("workspace-write"));
        assertEquals(answer.structuredContent?.exitCode, 0);
        assertEquals(await exists(join(trap.place.folder, "decoyed")), false);
      },
    );
  }
}

test("a call without _meta is refused, and the message names the host", LIMIT, async () => {
  await using trap = await setTrap();
  const text = checkRefusal(await trap.session.call(trap.args), "STATE_MISSING");
  assertStringIncludes(text, '"blunt-host" "7.8.9"');
  await trap.nothingRan();
});

test("an earlier call's authority is no later call's", LIMIT, async () => {
  await using trap = await setTrap();
  const meta = await trap.session.meta("danger-full-access");
  const first = await trap.session.call({ command: ["/bin/echo", "ran"] }, meta);
  assertEquals(first.structuredContent?.stdout, "ran\n");
  checkRefusal(await trap.session.call(trap.args), "STATE_MISSING");
  checkRefusal(await trap.session.call(trap.args, without(meta, LAUNCHER)), "LAUNCHER_MISSING");
  await trap.nothingRan();
});

test("metadata inside the arguments is none", LIMIT, async () => {
  await using trap = await setTrap();
  const forged = await trap.session.meta("danger-full-access");
  for (const args of [{ ...trap.args, ...forged }, { ...trap.args, _meta: forged }]) {
    checkRefusal(await trap.session.call(args), "STATE_MISSING");
    checkRefusal(await trap.session.call(args, { progressToken: 1 }), "STATE_MISSING");
  }
  await trap.nothingRan();
});

test("a launcher that is replaced while the server runs is refused", LIMIT, async () => {
  await using trap = await setTrap();
  const launcher = join(trap.place.outside, "launcher");
  await Deno.writeTextFile(launcher, `#!/bin/sh\nexec '${await realCodex()}' "$@"\n`);
  await Deno.chmod(launcher, 0o755);
  const meta = withLauncher(await trap.session.meta("workspace-write"), launcher);
  const answer = await trap.session.call({ command: ["/bin/echo", "ran"] }, meta);
  assertEquals(answer.structuredContent?.stdout, "ran\n");
  // the probe alone may start the replacement, so that mark does not count
  await plant(launcher, join(trap.place.folder, "probed"));
  const text = checkRefusal(await trap.session.call(trap.args, meta), "LAUNCHER_INVALID");
  assertStringIncludes(text, "changed on disk");
  await trap.nothingRan();
});

for (const bytes of [131_071, 131_072]) {
  const fits = bytes === 131_071;
  test(`a state of ${bytes} bytes ${fits ? "runs" : "is refused"}`, LIMIT, async () => {
    await using trap = await setTrap();
    const { [STATE]: state, [LAUNCHER]: launcher } = await trap.session.meta("workspace-write");
    const bare = JSON.stringify({ ...state as JsonObject, padding: "" });
    // two bytes a letter: it is bytes that count
    const odd = (bytes - new TextEncoder().encode(bare).length) % 2;
    const letters = (bytes - new TextEncoder().encode(bare).length - odd) / 2;
    const padded = { ...state as JsonObject, padding: "\u00fc".repeat(letters) + "x".repeat(odd) };
    assertEquals(new TextEncoder().encode(JSON.stringify(padded)).length, bytes);
    const answer = await trap.session.call(trap.args, { [STATE]: padded, [LAUNCHER]: launcher as JsonValue });
    if (fits) {
      assertEquals(answer.structuredContent?.exitCode, 0);
      assertEquals(await exists(join(trap.place.workspace, "ran")), true);
    } else {
      assertStringIncludes(checkRefusal(answer, "STATE_TOO_LARGE"), "131071");
      await trap.nothingRan();
    }
  });
}

test("over HTTP the real launcher is refused, and without one there is none", LIMIT, async () => {
  await using place = await createPlace();
  await using server = startHttpServer();
  const ran = join(place.workspace, "ran");
  const command = ["/bin/sh", "-c", ': > "$1"', "sh", ran];
  const right = await metaFor(place, "danger-full-access");
  const cases = [
    [right, "LAUNCHER_INVALID"],
    [without(without(right, STATE), ALIAS), "LAUNCHER_INVALID"],
    [without(right, LAUNCHER), "LAUNCHER_MISSING"],
    [{}, "STATE_MISSING"],
  ] as const;
  for (const [meta, code] of cases) {
    checkRefusal(await callOverHttp(server.url, { name: "exec", arguments: { command }, _meta: meta }), code);
  }
  const smuggled = { name: "exec", arguments: { command, _meta: right, ...right } };
  checkRefusal(await callOverHttp(server.url, smuggled), "STATE_MISSING");
  assertEquals(await exists(ran), false);
});

/** One `tools/call` over streamable HTTP, which answers with one JSON document or with events. */
async function callOverHttp(url: string, params: object): Promise<ToolAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const text = await response.text();
  const data = text.startsWith("{")
    ? text
    : text.split("\n").find((line) => line.startsWith("data: {"))?.slice(6);
  return (JSON.parse(data ?? "null") as { readonly result: ToolAnswer }).result;
}

function without(meta: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => name !== key));
}

function withLauncher(meta: JsonObject, codexExecutable: string): JsonObject {
  return { ...meta, [LAUNCHER]: { codexExecutable } };
}
