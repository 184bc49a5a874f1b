/**
 * Configured servers, and what connections to them are made with.
 *
 * @module
 */

import { createClock } from "../../../../../adapters/http/transport/clock.ts";
import { createEdgeRuntime } from "../../../../../adapters/http/transport/sending.ts";
import { createServerConnection } from "../../../../../adapters/mcp/host/connect/create_connection.ts";
import type {
  ConnectionState,
  ServerConnection,
  ServerConnectionOptions,
} from "../../../../../adapters/mcp/host/connect/server_connection.ts";
import type { HttpEntry, ServerSettings, StdioEntry } from "../../../../../core/configuration/entry.ts";
import { createProcesses } from "../../../../../adapters/node/process.ts";

/** What every configured server of the tests has. */
const SETTINGS: Omit<ServerSettings, "name"> = {
  enabled: true,
  environment: "local",
  protocol: "auto",
  enabledTools: null,
  disabledTools: [],
  startupTimeoutMs: 60_000,
  toolTimeoutMs: 60_000,
  layer: { kind: "user", source: "config.toml" },
  unknown: {},
};

/** A server that is started. */
export function stdioEntry(entry: Partial<StdioEntry> & Pick<StdioEntry, "command">): StdioEntry {
  return { ...SETTINGS, name: "notes", kind: "stdio", args: [], env: {}, envVars: [], cwd: null, ...entry };
}

/** A server that is a shell script. */
export function scriptEntry(script: string, entry: Partial<StdioEntry> = {}): StdioEntry {
  return stdioEntry({ command: "sh", args: ["-c", script], ...entry });
}

/** A server that is reached. */
export function httpEntry(entry: Partial<HttpEntry> & Pick<HttpEntry, "url">): HttpEntry {
  return {
    ...SETTINGS,
    name: "notes",
    kind: "http",
    bearerTokenEnvVar: null,
    headers: {},
    envHeaders: {},
    auth: null,
    ...entry,
  };
}

/** Options of a host in this process. */
export function hostOptions(options: Partial<ServerConnectionOptions> = {}): ServerConnectionOptions {
  return {
    processes: createProcesses(),
    clock: createClock(),
    runtime: createEdgeRuntime(),
    environment: { PATH: "/usr/bin:/bin", HOME: "/tmp" },
    platform: "linux",
    directory: "/tmp",
    clientInfo: { name: "test", version: "1" },
    closeMs: 300,
    ...options,
  };
}

/** A connection, closed when it goes out of use, and the states it went through. */
export interface Bench {
  readonly connection: ServerConnection;
  readonly states: ConnectionState[];
}

/** Connects in `work`, and closes the connection after it. */
export async function withConnection(
  entry: StdioEntry | HttpEntry,
  { options = {}, work }: {
    readonly options?: Partial<ServerConnectionOptions>;
    readonly work: (bench: Bench) => Promise<void>;
  },
): Promise<void> {
  const connection = createServerConnection(entry, hostOptions(options));
  const states: ConnectionState[] = [];
  connection.onChange((state) => states.push(state));
  try {
    await work({ connection, states });
  } finally {
    await connection.close();
  }
}

/** How a {@linkcode legacyServer} behaves. */
export interface LegacyServer {
  /** Shell commands when it is asked for its revision (`server/discover`); absent: an error, as servers of 2025 do. */
  readonly onDiscover?: string;
  /** Shell commands ahead of everything. */
  readonly before?: string;
  /** Shell commands in place of the answer to `initialize`. */
  readonly onInitialize?: string;
  /** Shell commands when the tool is called; `$id` is the call's. */
  readonly onCall?: string;
}

/** A server of 2025 in shell: one tool, `echo`, which answers with the line of its call in hexadecimal. */
export function legacyServer({ onDiscover, before = "", onInitialize, onCall }: LegacyServer = {}): string {
  const answer = (json: string): string => `printf '{"jsonrpc":"2.0","id":%s,${json}}\\n' "$id"`;
  const initialized =
    `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},` +
    `"serverInfo":{"name":"shell","version":"1"}}`;
  const hex = `hex=$(printf '%s' "$line" | od -An -v -tx1 | tr -d ' \\n')`;
  return `${before}
    while read -r line; do
      id=$(printf '%s' "$line" | sed -n 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/p')
      case $line in
        *'"server/discover"'*) ${onDiscover ?? answer('"error":{"code":-32601,"message":"no"}')} ;;
        *'"initialize"'*) ${onInitialize ?? answer(initialized)} ;;
        *'"tools/call"'*) ${
    onCall ??
      `${hex}; printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}\\n' "$id" "$hex"`
  } ;;
      esac
    done`;
}

/** The text that the tool of {@linkcode legacyServer} gave. */
export function lineOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  const bytes = (content[0]?.text ?? "").match(/../g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (pair) => parseInt(pair, 16)));
}
