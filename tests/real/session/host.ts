/**
 * A real Codex whose host is a program: `codex app-server`, in which a thread takes several turns and each turn may
 * bring another sandbox policy. In every turn the model calls one tool of `codex-mcp serve`.
 *
 * @module
 */

import { join } from "node:path";
import type { JsonObject } from "../../../core/json/value.ts";
import type { SandboxMode } from "../../../core/sandbox/presets.ts";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { KEY_VARIABLE, SERVER_NAME, writeConfig } from "../../fixtures/codex_host/config.ts";
import { type ModelCall, startMockModel } from "../../fixtures/codex_host/mock_model.ts";
import type { Place } from "../../fixtures/codex_host/place.ts";
import { serveCommand } from "../../fixtures/codex_host/servers.ts";

/** A policy as `turn/start` takes it. */
const POLICIES: Readonly<Record<SandboxMode, object>> = {
  "read-only": { type: "readOnly" },
  "workspace-write": { type: "workspaceWrite" },
  "danger-full-access": { type: "dangerFullAccess" },
};

/** A Codex that runs. */
export interface SessionHost extends AsyncDisposable {
  /** Starts a thread under a policy and gives back its id. */
  thread(mode: SandboxMode): Promise<string>;
  /** Lets the model of a thread call a tool, under another policy from now on if one is given. */
  turn(thread: string, call: Omit<ModelCall, "server">, mode?: SandboxMode): Promise<ModelView>;
}

/** What became of the call. */
export interface ModelView {
  /** The tool's result as the model got it. */
  readonly seen: string;
  /** The `_meta` that Codex sent to the server. */
  readonly meta: JsonObject;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly threadId?: string };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Records what goes in; the words after the file are the server's own. */
const RECORD = 'received=$1; shift; tee -a "$received" | "$@"';

/** Starts one in `place`, with `codex-mcp serve` as its only server. */
export async function startSessionHost(
  place: Place,
  { modern }: { readonly modern: boolean },
): Promise<SessionHost> {
  const log = join(place.folder, "received.jsonl");
  await using stack = new AsyncDisposableStack();
  const model = stack.use(startMockModel());
  const config = writeConfig({
    model: model.url,
    server: {
      command: ["/bin/sh", "-c", RECORD, "sh", log, ...serveCommand()],
      environment: serverEnvironment(place),
    },
    modern,
  });
  await Deno.writeTextFile(join(place.home, "config.toml"), config);
  const peer = stack.use(await startAppServer(place));
  await peer.request("initialize", { clientInfo: { name: "session-host", version: "1.0.0" } });
  await peer.notify("initialized");
  const kept = stack.move();
  return {
    thread: async (sandbox) => {
      const { thread } = await peer.request("thread/start", { cwd: place.workspace, sandbox }) as {
        thread: { id: string };
      };
      return thread.id;
    },
    turn: async (threadId, call, mode) => {
      model.next({ server: SERVER_NAME, ...call });
      const over = peer.once(({ method, params }) =>
        method === "turn/completed" && params?.threadId === threadId
      );
      const input = [{ type: "text", text: "call the tool" }];
      const policy = mode === undefined ? {} : { sandboxPolicy: POLICIES[mode] };
      await peer.request("turn/start", { threadId, input, ...policy });
      const completed = await over;
      const seen = model.seen();
      if (seen === undefined) throw new Error(`The model got no result: ${JSON.stringify(completed)}`);
      return { seen, meta: await lastMeta(log) };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

interface Peer extends AsyncDisposable {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string): Promise<void>;
  once(wanted: (message: Message) => boolean): Promise<Message>;
}

async function startAppServer(place: Place): Promise<Peer> {
  const child = new Deno.Command(await realCodex(), {
    args: ["app-server"],
    cwd: place.workspace,
    env: { CODEX_HOME: place.home, [KEY_VARIABLE]: "none", NO_COLOR: "1", RUST_LOG: "error" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const waiting = new Set<(message: Message) => void>();
  const reading = (async () => {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line) as Message;
        for (const tell of [...waiting]) tell(message);
      }
    }
  })();
  const once = (wanted: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve) => {
      const tell = (message: Message): void => {
        if (!wanted(message)) return;
        waiting.delete(tell);
        resolve(message);
      };
      waiting.add(tell);
    });
  const write = (message: object): Promise<void> =>
    writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  let ids = 0;
  return {
    once,
    notify: (method) => write({ jsonrpc: "2.0", method }),
    request: async (method, params) => {
      const id = ids++;
      const reply = once((message) => message.id === id && message.method === undefined);
      await write({ jsonrpc: "2.0", id, method, params });
      const { result, error } = await reply;
      if (error !== undefined) throw new Error(`Codex refused ${method}: ${JSON.stringify(error)}`);
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      await writer.close();
      await reading;
      await child.status;
    },
  };
}

/** The `_meta` of the last tool call in `log`. */
async function lastMeta(log: string): Promise<JsonObject> {
  const lines = (await Deno.readTextFile(log)).split("\n").filter((line) => line !== "");
  const messages = lines.map((line) =>
    JSON.parse(line) as { method?: string; params: { _meta: JsonObject } }
  );
  return messages.findLast(({ method }) => method === "tools/call")?.params._meta ?? {};
}

function serverEnvironment(place: Place): Record<string, string> {
  const names = ["DENO_DIR", "XDG_CACHE_HOME", "PATH"];
  const inherited = names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { CODEX_HOME: place.home, ...Object.fromEntries(inherited) };
}
