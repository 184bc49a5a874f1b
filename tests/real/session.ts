/**
 * A host without any SDK that talks to `codex-mcp serve`, word for word: it can send what no decent host would.
 *
 * @module
 */

import type { JsonObject } from "../../core/json/value.ts";
import { buildSandboxState, type SandboxMode } from "../../core/sandbox/presets.ts";
import { realCodex } from "../fixtures/codex_host/codex.ts";
import type { Place } from "../fixtures/codex_host/place.ts";
import { serveCommand } from "../fixtures/codex_host/servers.ts";

/** The answer to a tool call. */
export interface ToolAnswer {
  /** Whether the tool reports an error. */
  readonly isError?: boolean;
  /** What is there for programs. */
  readonly structuredContent?: { readonly stdout: string; readonly exitCode: number | null };
  /** What is there for a model. */
  readonly content: readonly { readonly text: string }[];
}

/** A server that runs, after the handshake of 2025-06-18. */
export interface Session extends AsyncDisposable {
  /** Calls `exec`; `meta` absent: without `_meta`. Rejects when the server is gone. */
  call(args: object, meta?: object): Promise<ToolAnswer>;
  /** Calls with a `_meta` that is given as text. */
  callWithText(args: object, meta: string): Promise<ToolAnswer>;
  /** The `_meta` that Codex would send in this mode. */
  meta(mode: SandboxMode): Promise<JsonObject>;
  /** Resolves when the server has answered, so that it is done with what it had begun to start. */
  ping(): Promise<void>;
  /** Sends the server a signal. */
  kill(signal: Deno.Signal): void;
}

/** What a session is made of besides its place. */
export interface SessionOptions {
  /** Flags of `serve`. */
  readonly flags?: readonly string[];
  /** Variables besides the inherited ones. */
  readonly environment?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Starts `serve` in the folder of `place`. Disposing of it closes the server's input and waits for its end. */
export async function openSession(place: Place, options: SessionOptions = {}): Promise<Session> {
  const [program = "", ...args] = serveCommand(...options.flags ?? []);
  const child = new Deno.Command(program, {
    args,
    cwd: place.folder,
    env: { CODEX_HOME: place.home, NO_COLOR: "1", ...options.environment },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const reading = receive(child.stdout, waiting);
  const writer = child.stdin.getWriter();
  let ids = 0;
  const write = async (message: string): Promise<void> => {
    await writer.write(new TextEncoder().encode(`${message}\n`));
  };
  const request = async (method: string, params: string): Promise<unknown> => {
    const reply = Promise.withResolvers<unknown>();
    const id = ids++;
    waiting.set(id, reply);
    await write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    return await reply.promise;
  };
  const call = async (args: object, meta: string | undefined): Promise<ToolAnswer> => {
    const fields = `"name":"exec","arguments":${JSON.stringify(args)}`;
    const params = meta === undefined ? `{${fields}}` : `{${fields},"_meta":${meta}}`;
    return await request("tools/call", params) as ToolAnswer;
  };
  const clientInfo = { name: "blunt-host", version: "7.8.9" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await request("initialize", JSON.stringify(hello));
  await write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return {
    call: (args, meta) => call(args, meta === undefined ? undefined : JSON.stringify(meta)),
    callWithText: call,
    meta: (mode) => metaFor(place, mode),
    ping: async () => void await request("ping", "{}"),
    kill: (signal) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      await writer.close().catch(() => undefined);
      await child.status;
      await reading;
    },
  };
}

/** The `_meta` that Codex would send in this mode, for the workspace of `place`. */
export async function metaFor(place: Place, mode: SandboxMode): Promise<JsonObject> {
  const codex = await realCodex();
  const state = buildSandboxState(mode, { directory: place.workspace, linuxSandboxExecutable: codex });
  return {
    "codex/sandbox-state": state,
    "codex/sandbox-state-meta": state,
    "codex/sandbox-launcher": { codexExecutable: codex },
  };
}

/** Settles the requests that are waited for; at the end of the stream, rejects what is left. */
async function receive(
  stream: ReadableStream<Uint8Array>,
  waiting: ReadonlyMap<number, PromiseWithResolvers<unknown>>,
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { id = -1, result, error } = JSON.parse(line) as Reply;
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(error.message));
    }
  }
  for (const { reject } of waiting.values()) reject(new Error("The server is gone"));
}
