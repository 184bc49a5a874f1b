/**
 * The `_meta` that the Codex CLI of this toolchain sends: is it what the captures hold and what the presets build?
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../core/json/value.ts";
import { HOST_KEYS, SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "../../../core/sandbox/keys.ts";
import {
  buildSandboxState,
  type PresetOptions,
  SANDBOX_MODES,
  type SandboxMode,
} from "../../../core/sandbox/presets.ts";
import { captureNamed } from "../../fixtures/captures/mod.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace, type Place } from "../../fixtures/codex_host/place.ts";
import { answer, type RecordedRequest } from "../../fixtures/codex_host/recorder.ts";
import { recorderCommand } from "../../fixtures/codex_host/servers.ts";
import { runTurn, type TurnOptions } from "../../fixtures/codex_host/turn.ts";
import { callOf, LIMIT } from "./turns.ts";

/** The id and the CLI in the captures. */
const CAPTURED_ID = "01a22c00-0000-7000-8000-000000000001";
const CAPTURED_CODEX = "/opt/codex/bin/codex";

for (const mode of SANDBOX_MODES) {
  for (const name of [SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY]) {
    test(`a stdio server that advertises ${name} gets the captured _meta under ${mode}`, LIMIT, async () => {
      await using place = await createPlace();
      const sent = await sentMeta(place, { mode, server: recorderCommand(name) });
      assertEquals(await normalize(sent, place), captured(`stdio-${mode}`));
    });
  }
}

test("a server that advertises neither name gets no host key", LIMIT, async () => {
  await using place = await createPlace();
  const sent = await sentMeta(place, { mode: "workspace-write", server: recorderCommand("another/thing") });
  assertEquals(await normalize(sent, place), captured("not-opted-in"));
});

test("a server over HTTP on loopback gets the states and no launcher", LIMIT, async () => {
  await using place = await createPlace();
  const received: RecordedRequest[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const message = await request.json() as RecordedRequest;
      received.push(message);
      const reply = answer(message, [SANDBOX_STATE_KEY]);
      return reply === undefined ? new Response(null, { status: 202 }) : Response.json(reply);
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  await runTurn(place, { mode: "workspace-write", server: { url }, tool: "where", arguments: {} });
  const call = received.find(({ method }) => method === "tools/call");
  const sent = call?.params?.["_meta"] as JsonObject;
  assertEquals(await normalize(sent, place), captured("http-loopback-workspace-write"));
});

/** Further settings, and the capture of each. */
const SETTINGS: readonly {
  readonly capture: string;
  readonly roots?: readonly string[];
  readonly network?: boolean;
  readonly excludeTemporary?: boolean;
}[] = [
  { capture: "stdio-workspace-write-network", network: true },
  { capture: "stdio-workspace-write-one-root", roots: ["extra"] },
  { capture: "stdio-workspace-write-two-roots-network", roots: ["extra", "extra2"], network: true },
  { capture: "stdio-workspace-write-no-temporary", excludeTemporary: true },
];

for (const { capture, roots = [], network = false, excludeTemporary = false } of SETTINGS) {
  test(`${capture} is what Codex sends and what the preset builds`, LIMIT, async () => {
    await using place = await createPlace();
    const writableRoots = roots.map((name) => join(place.folder, name));
    for (const root of writableRoots) await Deno.mkdir(root);
    const workspaceWrite = {
      network_access: network,
      writable_roots: writableRoots,
      exclude_slash_tmp: excludeTemporary,
      exclude_tmpdir_env_var: excludeTemporary,
    };
    const server = recorderCommand(SANDBOX_STATE_KEY);
    const sent = await sentMeta(place, { mode: "workspace-write", server, workspaceWrite });
    assertEquals(hostKeys(await normalize(sent, place)), captureNamed(capture).meta);
    checkPreset(sent, place, { mode: "workspace-write", writableRoots, network, excludeTemporary });
  });
}

for (const mode of SANDBOX_MODES) {
  test(`the preset ${mode} is what Codex sends`, LIMIT, async () => {
    await using place = await createPlace();
    const sent = await sentMeta(place, { mode, server: recorderCommand(SANDBOX_STATE_KEY) });
    checkPreset(sent, place, { mode });
  });
}

async function sentMeta(place: Place, options: Omit<TurnOptions, "tool" | "arguments">): Promise<JsonObject> {
  const turn = await runTurn(place, { ...options, tool: "where", arguments: {} });
  return callOf(turn)["_meta"] as JsonObject;
}

/** Both states are, as values, what the preset builds. */
function checkPreset(
  sent: JsonObject,
  place: Place,
  { mode, ...options }: Omit<PresetOptions, "directory" | "linuxSandboxExecutable"> & {
    readonly mode: SandboxMode;
  },
): void {
  const state = sent[SANDBOX_STATE_KEY] as JsonObject;
  const linuxSandboxExecutable = state["codexLinuxSandboxExe"] as string;
  const built = buildSandboxState(mode, { ...options, directory: place.workspace, linuxSandboxExecutable });
  assertEquals(state, built);
  assertEquals(sent[SANDBOX_STATE_META_KEY], built);
}

/** A capture, as it is compared. */
function captured(name: string): unknown {
  return comparable(captureNamed(name).meta);
}

/** `meta` with the paths and ids of the captures, as it is compared. */
async function normalize(meta: JsonObject, place: Place): Promise<JsonObject> {
  const replaced = [
    [linkOf(meta, place) ?? CAPTURED_CODEX, CAPTURED_CODEX],
    [await realCodex(), CAPTURED_CODEX],
    [place.workspace, "/home/dev/project"],
    [`${place.folder}/extra`, "/srv/extra"], // and so extra2 as well
  ] as const;
  const text = replaced.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(meta))
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, CAPTURED_ID);
  return comparable(JSON.parse(text));
}

/**
 * The link to itself that Codex makes in its home for the time that it runs, to be called by another name. With a
 * home under the system's temporary folder, as for the captures, it makes none.
 */
function linkOf(meta: JsonObject, place: Place): string | undefined {
  const state = meta[SANDBOX_STATE_KEY] as JsonObject | undefined;
  const executable = state?.["codexLinuxSandboxExe"];
  const isLink = typeof executable === "string" && executable.startsWith(`${place.home}/tmp/`) &&
    executable.endsWith("/codex-linux-sandbox");
  return isLink ? executable : undefined;
}

/** `meta` without the time of the turn and without what is known of the repository that the workspace may be. */
function comparable(meta: JsonObject): JsonObject {
  const { workspaces: _, turn_started_at_unix_ms: startedMs, ...turn } =
    meta["x-codex-turn-metadata"] as JsonObject;
  assertEquals(typeof startedMs, "number");
  return { ...meta, "x-codex-turn-metadata": turn };
}

function hostKeys(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => HOST_KEYS.includes(key)));
}
