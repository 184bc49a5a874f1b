/**
 * A host over servers that keep what they receive: the text of each `tools/call`, as it was on the wire.
 *
 * @module
 */

import { join } from "node:path";
import { createMemoryCatalogStore } from "../../../adapters/catalog/memory_store.ts";
import type { ConfigurationSource } from "../../../adapters/configuration/source.ts";
import { createHost } from "../../../adapters/deno/host.ts";
import type { Host } from "../../../adapters/mcp/host/host.ts";
import type { JsonObject } from "../../../core/json/value.ts";
import { SANDBOX_STATE_KEY, SANDBOX_STATE_META_KEY } from "../../../core/sandbox/keys.ts";
import { createPlace } from "../../fixtures/codex_host/place.ts";
import { answer, type RecordedRequest } from "../../fixtures/codex_host/recorder.ts";
import { exampleCommand, recorderCommand } from "../../fixtures/codex_host/servers.ts";

/** One call as a server received it. */
export interface RecordedCall {
  /** The line or the body. */
  readonly text: string;
  /** Its `_meta`. */
  readonly meta: JsonObject;
}

/** What a test does. */
export type Play = (host: Host) => Promise<void>;

/** Servers over stdio by what they are: both opt in under one name, none, and one of 2026-07-28. */
const STDIO: Readonly<Record<string, readonly string[]>> = {
  [SANDBOX_STATE_KEY]: recorderCommand(SANDBOX_STATE_KEY),
  [SANDBOX_STATE_META_KEY]: recorderCommand(SANDBOX_STATE_META_KEY),
  neither: recorderCommand("another/thing"),
  modern: exampleCommand("sdk_v2"),
};

/** Servers over HTTP on loopback by what they are. */
const HTTP: Readonly<Record<string, readonly string[]>> = {
  "http": [SANDBOX_STATE_KEY],
  "http-neither": [],
};

/** Keeps what goes in; the words after the file are the server's own. */
const RECORD = 'log=$1; shift; tee "$log" | "$@"';

/** Lets `play` use a host, closes it, and gives back the calls that each server received, in their order. */
export async function recordCalls(play: Play): Promise<Readonly<Record<string, readonly RecordedCall[]>>> {
  await using place = await createPlace();
  const texts: Record<string, string[]> = Object.fromEntries(Object.keys(HTTP).map((name) => [name, []]));
  await using site = startSite(texts);
  const stdio = Object.entries(STDIO).map(([name, words], number) => ({
    name,
    log: join(place.folder, `received-${number}`),
    words,
  }));
  const host = await createHost({
    configuration: configurationOf({
      ...Object.fromEntries(stdio.map(({ name, log, words }) => [name, {
        command: "/bin/sh",
        args: ["-c", RECORD, "sh", log, ...words],
        env_vars: ["DENO_DIR", "XDG_CACHE_HOME"],
      }])),
      ...Object.fromEntries(
        Object.keys(HTTP).map((name) => [name, { url: `http://127.0.0.1:${site.addr.port}/${name}` }]),
      ),
    }),
    catalog: createMemoryCatalogStore(),
  });
  try {
    await play(host);
  } finally {
    await host.close();
  }
  for (const { name, log } of stdio) texts[name] = (await readIfThere(log)).split("\n");
  return Object.fromEntries(Object.entries(texts).map(([name, all]) => [name, all.flatMap(callIn)]));
}

/** A configuration of these servers. */
function configurationOf(servers: JsonObject): ConfigurationSource {
  const layers = [{
    kind: "user" as const,
    source: "this test",
    values: { mcp_servers: servers },
    codexFile: true,
  }];
  return {
    load: () => Promise.resolve({ kind: "loaded", layers, texts: new Map(), remarks: [], workspace: null }),
  };
}

function startSite(texts: Readonly<Record<string, string[]>>): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const name = new URL(request.url).pathname.slice(1);
    const text = await request.text();
    texts[name]!.push(text);
    const reply = answer(JSON.parse(text) as RecordedRequest, HTTP[name]!);
    return reply === undefined ? new Response(null, { status: 202 }) : Response.json(reply);
  });
}

function callIn(text: string): readonly RecordedCall[] {
  if (text === "") return [];
  const { method, params } = JSON.parse(text) as RecordedRequest;
  return method === "tools/call" ? [{ text, meta: params?.["_meta"] as JsonObject }] : [];
}

/** A server that nobody called was not started. */
async function readIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
