/**
 * Real clients and real servers over real stdio: what the cases about the wire are made of.
 *
 * @module
 */

import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fail } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { removeFolder } from "../../../fixtures/remove_folder.ts";

/** The clients: both lines of the SDK, the second in both eras. */
export const CLIENTS = ["SDK v1", "SDK v2 (2025)", "SDK v2 (2026-07-28)"] as const;
/** One of them. */
export type ClientName = typeof CLIENTS[number];

/** The servers: those of `examples/servers`, and the bundled one. */
export const SERVERS = ["sdk_v1", "sdk_v2", "no_sdk", "exec_serve"] as const;
/** One of them. */
export type ServerName = typeof SERVERS[number];

/** How the clients call themselves. */
export const CLIENT_INFO = { name: "wire-client", version: "4.5.6" };

/** Limit of one case. */
export const limit = { timeout: 120_000 };

/** Who can talk to whom: a server of the handshake cannot talk to a client without one. */
export const PAIRS: readonly (readonly [ClientName, ServerName])[] = CLIENTS.flatMap((client) =>
  SERVERS.filter((server) => !client.includes("2026") || server === "sdk_v2" || server === "exec_serve")
    .map((server) => [client, server] as const)
);

/** What a client is told in a progress notification. */
export interface Progress {
  readonly progress: number;
  readonly message?: string | undefined;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool's answer. */
export interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** A connection to a server. */
export interface Connection extends AsyncDisposable {
  /** What the server announced. */
  readonly capabilities: unknown;
  /** Process id of the server. */
  readonly pid: number;
  /** Lists the tools; from then on the client checks results against their schema. */
  tools(): Promise<readonly { readonly name: string; readonly [field: string]: unknown }[]>;
  /** Calls the tool `exec`. */
  call(args: object, meta: object, options?: CallOptions): Promise<Answer>;
  /** Sends a notification that is not of the protocol. */
  notify(method: string, params: object): Promise<void>;
}

/** How a call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
}

/** A folder where the launcher writes its arguments, and a launcher of its own. */
export interface Surroundings extends AsyncDisposable {
  readonly folder: string;
  readonly launcher: string;
  /** The recorded argument vectors, in the order of the launches. */
  launches(): Promise<readonly (readonly string[])[]>;
}

/** Creates surroundings that vanish when they are disposed of. */
export async function surround(): Promise<Surroundings> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "codex-mcp-wire-" }));
  const launcher = `${folder}/launcher`;
  await Deno.copyFile(fixture("launcher.sh"), launcher);
  await Deno.chmod(launcher, 0o755);
  return {
    folder,
    launcher,
    launches: async () => {
      const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
        name.startsWith("argv.")
      );
      const stats = files.map((name) => ({
        name,
        at: Deno.statSync(`${folder}/${name}`).mtime?.getTime() ?? 0,
      }));
      stats.sort((a, b) => a.at - b.at);
      const texts = await Promise.all(stats.map(({ name }) => Deno.readTextFile(`${folder}/${name}`)));
      return texts.map((text) => text.split("\0").slice(0, -1));
    },
    [Symbol.asyncDispose]: () => removeFolder(folder),
  };
}

/** Starts `server` and connects `client` to it. */
export async function connect(
  client: ClientName,
  server: ServerName,
  { folder, flags = [] }: { readonly folder: string; readonly flags?: readonly string[] },
): Promise<Connection> {
  const config = fixture("../../deno.json");
  const parameters = {
    command: Deno.execPath(),
    args: ["run", "--quiet", "-A", "--config", config, sourceOf(server), ...flags],
    env: { ...Deno.env.toObject(), CODEX_HOME: folder },
  };
  const transport = client === "SDK v1" ? new StdioV1(parameters) : new StdioV2(parameters);
  const peer = createClient(client);
  // both lines agree at run time; their types know nothing of each other
  await peer.connect(transport as StdioV2);
  return {
    capabilities: peer.getServerCapabilities(),
    pid: transport.pid ?? fail("the server has no process id"),
    tools: async () => (await peer.listTools()).tools,
    call: async (args, meta, options = {}) => {
      const params = { name: "exec", arguments: { ...args }, _meta: { ...meta } };
      const wishes = { timeout: limit.timeout, ...options };
      return await (client === "SDK v1"
        ? (peer as unknown as ClientV1).callTool(params, undefined, wishes)
        : peer.callTool(params, wishes)) as Answer;
    },
    notify: (method, params) => transport.send({ jsonrpc: "2.0", method, params: { ...params } }),
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

function sourceOf(server: ServerName): string {
  return fixture(server === "exec_serve" ? "servers/exec_serve.ts" : `../../examples/servers/${server}.ts`);
}

function createClient(name: ClientName): ClientV2 {
  if (name === "SDK v1") return new ClientV1(CLIENT_INFO) as unknown as ClientV2;
  const mode = name.includes("2026") ? { pin: "2026-07-28" } : "legacy";
  return new ClientV2(CLIENT_INFO, { versionNegotiation: { mode } });
}

/** Path of a fixture. */
export function fixture(path: string): string {
  return fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url));
}

/** The text of an answer. */
export function textOf({ content }: Answer): string {
  return content.map(({ text }) => text ?? "").join("\n");
}

/** Waits until `condition` holds; the limit of the case ends a wait in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A command that starts a second process, notes both process ids in `folder`, and goes on for long. */
export function sleeper(folder: string): string[] {
  const script = 'sleep 600 & echo "$$ $!" > "$1/pids.new"; mv "$1/pids.new" "$1/pids"; wait';
  return ["sh", "-c", script, "sh", folder];
}

/** The process ids that a {@linkcode sleeper} noted, when it has. */
export async function sleeping(folder: string): Promise<readonly number[]> {
  const file = `${folder}/pids`;
  await until(() => existsSync(file));
  return readFileSync(file, "utf8").trim().split(" ").map(Number);
}
