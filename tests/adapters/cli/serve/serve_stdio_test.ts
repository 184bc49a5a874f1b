import { InMemoryTransport } from "@modelcontextprotocol/server";
import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { serve } from "../../../../adapters/cli/serve/serve_stdio.ts";
import type { CommandRunner } from "../../../../adapters/cli/serve/exec_server.ts";
import { hasEnded } from "../../../contracts/has_ended.ts";
import { fixture, limit, sleeper, sleeping, surround, type Surroundings, until } from "./wire.ts";

const OPENING = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "old-host", version: "0.1" },
  },
};
const STATE = { permissionProfile: { type: "managed" } };

test("the end of standard input ends what was started, and then the server", limit, async () => {
  await using place = await surround();
  const server = start(place);
  await server.send(OPENING);
  await server.send(callOf(place, sleeper(place.folder)));
  const pids = await sleeping(place.folder);
  await server.endInput();
  assertEquals((await server.child.status).code, 0);
  assert(pids.every(hasEnded));
  await server.readRest();
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal} ends what was started, and then the server`, limit, async () => {
    await using place = await surround();
    const server = start(place);
    await server.send(OPENING);
    await server.send(callOf(place, sleeper(place.folder)));
    const pids = await sleeping(place.folder);
    server.child.kill(signal);
    assertEquals((await server.child.status).code, 0);
    assert(pids.every(hasEnded));
    await server.readRest();
  });
}

test("a server that is killed leaves no process", limit, async () => {
  await using place = await surround();
  const server = start(place);
  await server.send(OPENING);
  await server.send(callOf(place, sleeper(place.folder)));
  const pids = await sleeping(place.folder);
  server.child.kill("SIGKILL");
  await server.child.status;
  await until(() => pids.every(hasEnded));
  await server.readRest();
});

test("serving is over when the connection is, and the runner is closed", limit, async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const steps: string[] = [];
  const runner: CommandRunner = {
    run: (_authority, _command, options) =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener("abort", () => reject(steps.push("call cancelled")));
        steps.push("call started");
      }),
    close: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      steps.push("runner closed");
    },
  };
  const served = serve({ runner, transport: far }).then(() => steps.push("served"));
  await near.start();
  await near.send(OPENING as Parameters<typeof near.send>[0]);
  await near.send(callOf({ launcher: "/opt/codex" }, ["ls"]) as Parameters<typeof near.send>[0]);
  await until(() => steps.length > 0);
  await near.close();
  await served;
  assertEquals(steps, ["call started", "call cancelled", "runner closed", "served"]);
});

test("requests of an old host get a harmless answer, and no authority comes from them", limit, async () => {
  await using place = await surround();
  const server = start(place);
  await server.send(OPENING);
  const update = { sandboxState: STATE, ...metaOf(place) };
  await server.send({
    jsonrpc: "2.0",
    method: "codex/sandbox-state/update",
    params: { ...update, _meta: update },
  });
  await server.send({
    jsonrpc: "2.0",
    id: 1,
    method: "codex/sandbox-state/update",
    params: { ...update, _meta: update },
  });
  await server.send({ ...callOf(place, ["true"], {}), id: 2 });
  await server.send({ ...callOf(place, ["echo", "run"]), id: 3 });
  await server.send({ ...callOf(place, ["true"], {}), id: 4 });
  const replies = await server.replies(5);
  assertEquals((replies.get(1)?.["error"] as { code: number }).code, -32601);
  for (const id of [2, 4]) {
    const { isError, content } = replies.get(id)?.["result"] as {
      isError: boolean;
      content: { text: string }[];
    };
    assertEquals([isError, content[0]?.text.split(":")[0]], [true, "STATE_MISSING"]);
  }
  const { structuredContent } = replies.get(3)?.["result"] as { structuredContent: { stdout: string } };
  assertEquals(structuredContent.stdout, "run\n");
  assertEquals((await place.launches()).length, 1);
  await server.endInput();
  await server.child.status;
  await server.readRest();
});

test("what is no message is told of on standard error, without a word of it", limit, async () => {
  await using place = await surround();
  const server = start(place);
  await server.sendText('{"secret-policy": }\n{"secret-policy": 1, "method": {"secret": 2}}\n');
  await server.send(OPENING);
  await server.replies(1);
  await server.endInput();
  assertEquals((await server.child.status).code, 0);
  const rest = await server.readRest();
  assertEquals([
    rest.errors.includes("secret"),
    rest.errors.includes("codex-mcp serve: the connection reports a "),
  ], [
    false,
    true,
  ]);
});

type Place = Pick<Surroundings, "launcher">;

function metaOf(place: Place): object {
  return {
    "codex/sandbox-state": STATE,
    "codex/sandbox-state-meta": STATE,
    "codex/sandbox-launcher": { codexExecutable: place.launcher },
  };
}

function callOf(place: Place, command: readonly string[], _meta: object = metaOf(place)): object {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "exec", arguments: { command }, _meta },
  };
}

interface RunningServer {
  readonly child: Deno.ChildProcess;
  send(message: object): Promise<void>;
  sendText(text: string): Promise<void>;
  endInput(): Promise<void>;
  /** The first `count` messages by their id; each line of standard output is one, and nothing else is. */
  replies(count: number): Promise<ReadonlyMap<unknown, Readonly<Record<string, unknown>>>>;
  /** Reads both streams to their ends. */
  readRest(): Promise<{ readonly errors: string }>;
}

function start({ folder }: Surroundings): RunningServer {
  const config = fixture("../../deno.json");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", "--config", config, fixture("servers/exec_serve.ts")],
    env: { CODEX_HOME: folder },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const errors = new Response(child.stderr).text();
  let text = "";
  const sendText = (line: string): Promise<void> => input.write(new TextEncoder().encode(line));
  return {
    child,
    sendText,
    send: (message) => sendText(`${JSON.stringify(message)}\n`),
    endInput: () => input.close(),
    replies: async (count) => {
      while (text.split("\n").length <= count) text += (await output.read()).value ?? "";
      return new Map(
        text.trim().split("\n").map((line) => JSON.parse(line)).map((message) => [message.id, message]),
      );
    },
    readRest: async () => {
      for (let part = await output.read(); !part.done; part = await output.read()) continue;
      await input.close().catch(() => {});
      return { errors: await errors };
    },
  };
}
