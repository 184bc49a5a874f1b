import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, InMemoryTransport, McpServer as ServerV2 } from "@modelcontextprotocol/server";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as HttpV1 } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { type CommandRunner, createExecServer } from "../../../../adapters/cli/serve/exec_server.ts";
import {
  advertiseSandboxState,
  resultOf,
  type SandboxResult,
  withAuthority,
} from "../../../../adapters/mcp/mod.ts";
import type { CommandOptions } from "../../../../adapters/sandbox/runner.ts";
import { planSandboxedCommand } from "../../../../core/sandbox/command.ts";
import { CLIENT_INFO, limit } from "./wire.ts";

const STATE = { permissionProfile: { type: "managed" } };
const LAUNCHER = { "codex/sandbox-launcher": { codexExecutable: "/opt/codex" } };
const META = { "codex/sandbox-state": STATE, "codex/sandbox-state-meta": STATE, ...LAUNCHER };

const DONE: SandboxResult = {
  exitCode: 0,
  signal: null,
  stdout: "",
  stderr: "",
  truncated: false,
  timedOut: false,
  sandboxed: true,
  setupFailed: false,
  modifiers: [],
};

/** A runner that plans as a real one does, starts nothing, and ends when it is told to. */
class Planner implements CommandRunner {
  readonly runs: { readonly command: readonly string[]; readonly options: CommandOptions }[] = [];
  readonly #end: Promise<void>;

  constructor(end: Promise<void> = Promise.resolve()) {
    this.#end = end;
  }

  async run(
    authority: Parameters<CommandRunner["run"]>[0],
    command: readonly string[],
    options: CommandOptions = {},
  ): Promise<SandboxResult> {
    planSandboxedCommand(authority, command);
    this.runs.push({ command, options });
    const cancelled = new Promise((_, reject) => {
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason), { once: true });
    });
    await Promise.race([this.#end, cancelled]);
    return DONE;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

test("the tool is listed with its schemas and annotations", limit, async () => {
  await using peer = await inMemory(new Planner());
  const [tool, ...others] = (await peer.client.listTools()).tools;
  assertEquals(others, []);
  assertEquals(tool?.annotations, {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
  assertEquals([tool?.inputSchema.type, tool?.inputSchema.required], ["object", ["command"]]);
  assertEquals([tool?.outputSchema?.["type"], "$schema" in (tool?.outputSchema ?? {})], ["object", false]);
  assertEquals(peer.client.getServerVersion()?.name, "codex-mcp");
});

test("the arguments become the run's command and wishes, and nothing else does", limit, async () => {
  const runner = new Planner();
  await using peer = await inMemory(runner);
  const args = { command: ["make", "-j"], timeoutMs: 7, stdin: "in", directory: "src", cwd: "/", signal: 9 };
  assertEquals(await peer.call(args), [undefined, DONE]);
  const [{ command, options } = { command: [], options: {} }] = runner.runs;
  const { signal, ...rest } = options;
  assertEquals([command, rest], [["make", "-j"], {
    timeoutMs: 7,
    stdin: "in",
    directory: "src",
    onOutput: undefined,
  }]);
  assertEquals(signal instanceof AbortSignal, true);
});

test("arguments that cannot be read are refused with a code, after the authority", limit, async () => {
  const runner = new Planner();
  await using peer = await inMemory(runner);
  for (const args of [{}, { command: [] }, { command: "ls" }, { command: ["ls"], stdin: 1 }]) {
    assertEquals(await peer.call(args), ["COMMAND_INVALID", undefined]);
    assertEquals(await peer.call(args, {}), ["STATE_MISSING", undefined]);
  }
  assertEquals(runner.runs, []);
});

test("source texts are what is forwarded", limit, async () => {
  const texts: string[] = [];
  const runner: CommandRunner = {
    run: ({ stateText }) => {
      texts.push(stateText);
      return Promise.resolve(DONE);
    },
    close: () => Promise.resolve(),
  };
  const source = JSON.stringify(STATE, null, 2);
  await using peer = await inMemory(runner, () => ({ stateText: source }));
  await peer.call({ command: ["ls"] });
  assertEquals(texts, [source]);
});

const HTTP_SERVERS: Readonly<
  Record<string, (runner: CommandRunner) => (request: Request) => Promise<Response>>
> = {
  "the exec server": (runner) => createMcpHandler(() => createExecServer({ runner })).fetch,
  "a server on SDK v2 that says stdio": (runner) =>
    createMcpHandler(() => {
      const server = new ServerV2({ name: "v2", version: "1" }, { capabilities: advertiseSandboxState() });
      server.registerTool("exec", {}, withAuthority(run(runner), { transport: "stdio", server }));
      return server;
    }).fetch,
  "a server on SDK v1 that says stdio": (runner) => async (request) => {
    const server = new ServerV1({ name: "v1", version: "1" }, { capabilities: advertiseSandboxState() });
    server.registerTool("exec", {}, withAuthority(run(runner), { transport: "stdio", server }));
    const transport = new HttpV1({});
    await server.connect(transport);
    return await transport.handleRequest(request);
  },
};

/** A handler for a tool without input schema. */
function run(runner: CommandRunner) {
  return async (_args: unknown, authority: Parameters<CommandRunner["run"]>[0]) =>
    resultOf(await runner.run(authority, ["ls"]));
}

for (const [name, create] of Object.entries(HTTP_SERVERS)) {
  for (const mode of name.includes("v1") ? ["legacy"] as const : ["legacy", { pin: "2026-07-28" }] as const) {
    const era = mode === "legacy" ? "2025" : mode.pin;
    test(`over HTTP (${era}) ${name} refuses a launcher`, limit, async () => {
      const runner = new Planner();
      await using peer = await overHttp(create(runner), mode);
      const { "codex/sandbox-launcher": _, ...states } = META;
      assertEquals(await peer.call({ command: ["ls"] }), ["LAUNCHER_INVALID", undefined]);
      assertEquals(await peer.call({ command: ["ls"] }, LAUNCHER), ["LAUNCHER_INVALID", undefined]);
      assertEquals(await peer.call({ command: ["ls"] }, states), ["LAUNCHER_MISSING", undefined]);
      assertEquals(await peer.call({ command: ["ls"], ...META }, {}), ["STATE_MISSING", undefined]);
      assertEquals(runner.runs, []);
    });
  }
}

test("over HTTP a client that goes cancels its call", limit, async () => {
  let started: (signal: AbortSignal | undefined) => void = () => {};
  const running = new Promise<AbortSignal | undefined>((resolve) => started = resolve);
  const runner: CommandRunner = {
    run: (_authority, _command, options) => {
      started(options?.signal);
      return new Promise((_, reject) =>
        options?.signal?.addEventListener("abort", () => reject(new Error("ended")))
      );
    },
    close: () => Promise.resolve(),
  };
  await using peer = await overHttp(createMcpHandler(() => createExecServer({ runner })).fetch, {
    pin: "2026-07-28",
  });
  const abort = new AbortController();
  const lost = assertRejects(() => peer.call({ command: ["ls"] }, META, abort.signal));
  const signal = await running;
  abort.abort();
  await lost;
  if (signal?.aborted === false) {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  assertEquals(signal?.aborted, true);
});

interface Peer extends AsyncDisposable {
  readonly client: Client;
  /** The code of a refusal, or the structured content. */
  call(args: object, meta?: object, signal?: AbortSignal): Promise<readonly [string | undefined, unknown]>;
}

async function inMemory(
  runner: CommandRunner,
  sourceTexts?: () => { readonly stateText: string },
): Promise<Peer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createExecServer({ runner, sourceTexts }).connect(far);
  const client = new Client(CLIENT_INFO);
  await client.connect(near);
  return peerOf(client, () => client.close());
}

async function overHttp(
  handle: (request: Request) => Promise<Response>,
  mode: "legacy" | { readonly pin: string },
): Promise<Peer> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.addr.port}/mcp`)),
  );
  return peerOf(client, async () => {
    await client.close();
    await server.shutdown();
  });
}

function peerOf(client: Client, dispose: () => Promise<void>): Peer {
  return {
    client,
    call: async (args, meta = META, signal) => {
      const params = { name: "exec", arguments: { ...args }, _meta: { ...meta } };
      const { content, isError, structuredContent } = await client.callTool(params, signal ? { signal } : {});
      const [part] = content;
      const code = isError && part?.type === "text" ? part.text.split(":")[0] : undefined;
      return [code, structuredContent];
    },
    [Symbol.asyncDispose]: dispose,
  };
}
