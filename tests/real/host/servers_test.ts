/**
 * The host with servers that nobody here wrote: lists, calls, structured results, progress, questions, cancellation,
 * errors, changes of the list, logs, and an end without orphans.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import type { CallToolResult, InputContext, InputHandlers, Thread } from "../../../adapters/mcp/host/mod.ts";
import { HostError } from "../../../core/errors.ts";
import { run } from "../../../scripts/command.ts";
import { findNode } from "../../../scripts/suites/node_binaries.ts";
import { removeFolder } from "../../fixtures/remove_folder.ts";
import { type PublicServers, startPublicServers } from "./public_servers.ts";
import { marked } from "../session/processes.ts";

const LIMIT = { timeout: 180_000 };

/** A tool that takes ten minutes, and says after half a second that it is at work. */
const LONG = ["trigger-long-running-operation", { duration: 600, steps: 1200 }] as const;

/** Handlers that answer, and who asked. */
function answering(): { readonly asked: InputContext[]; readonly onInput: InputHandlers } {
  const asked: InputContext[] = [];
  return {
    asked,
    onInput: {
      roots: () => Promise.resolve({ roots: [{ uri: "file:///srv/project", name: "the project" }] }),
      elicit: (_params, context) => {
        asked.push(context);
        return Promise.resolve({ action: "accept", content: { name: "Alice", check: true } });
      },
      sample: (_params, context) => {
        asked.push(context);
        const content = { type: "text", text: "what the model says" } as const;
        return Promise.resolve({ role: "assistant", model: "a model", content });
      },
    },
  };
}

for (const server of ["everything", "site"]) {
  const over = server === "site" ? "streamable HTTP" : "stdio";

  test(`server-everything over ${over}: lists, calls, structured results, progress`, LIMIT, async () => {
    const secret = { ...Deno.env.toObject(), SOME_TOKEN: "not for servers" };
    await using servers = await startPublicServers({ site: server === "site", environment: secret });
    const [report] = await servers.host.connect([server]);
    assertEquals([report?.state, report?.era, report?.protocol], ["ready", "legacy", "2025-11-25"]);
    const thread = servers.host.openThread();
    const names = (await thread.tools(server)).map(({ name }) => name);
    for (const name of ["echo", "get-sum", "get-tiny-image", LONG[0]]) assert(names.includes(name), name);
    assertEquals(textOf(await thread.callTool(server, "echo", { message: "Grüße 👋" })), "Echo: Grüße 👋");
    const weather = await thread.callTool(server, "get-structured-content", { location: "New York" });
    assertEquals(weather.structuredContent, { temperature: 33, conditions: "Cloudy", humidity: 82 });
    const image = await thread.callTool(server, "get-tiny-image");
    const [pixels] = image.content.filter(({ type }) => type === "image");
    assert(pixels?.type === "image" && pixels.mimeType === "image/png" && atob(pixels.data).length > 100);
    const links = await thread.callTool(server, "get-resource-links", { count: 2 });
    assertEquals(links.content.map(({ type }) => type), ["text", "resource_link", "resource_link"]);
    const seen: unknown[] = [];
    const slow = thread.callTool(server, LONG[0], { duration: 0.5, steps: 5 }, {
      onProgress: (progress) => seen.push(progress),
    });
    assert(textOf(await slow).startsWith("Long running operation completed"));
    assertEquals(seen, [1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5 })));
    if (server === "everything") {
      assert(!textOf(await thread.callTool(server, "get-env")).includes("not for servers"));
      assertEquals(servers.host.servers()[0]?.stderr, "Starting default (STDIO) server...\n");
    }
    await servers.end();
    if (server === "site") assertEquals(servers.requests.at(-1)?.method, "DELETE");
  });

  test(`server-everything over ${over}: what it asks for, and whose call it is`, LIMIT, async () => {
    const { asked, onInput } = answering();
    await using servers = await startPublicServers({ site: server === "site", onInput });
    const thread = servers.host.openThread();
    // it registers these tools when it knows what the host can do
    const names = (await thread.tools(server)).map(({ name }) => name);
    for (const name of ["get-roots-list", "trigger-sampling-request", "trigger-elicitation-request"]) {
      assert(names.includes(name), `${name} is not in ${names.join()}`);
    }
    const told = servers.events.some((event) => event.kind === "catalog-changed" && event.server === server);
    assert(told || server === "site", "the host did not tell of the change");
    assert(textOf(await thread.callTool(server, "get-roots-list")).includes("file:///srv/project"));
    const sampled = await thread.callTool(server, "trigger-sampling-request", { prompt: "Say something" });
    assert(textOf(sampled).includes("what the model says"));
    const elicited = await thread.callTool(server, "trigger-elicitation-request");
    assert(textOf(elicited).includes("Alice"));
    assertEquals(asked.map(({ thread, tool }) => [thread, tool]), [
      [thread.id, "trigger-sampling-request"],
      [thread.id, "trigger-elicitation-request"],
    ]);
    await servers.end();
  });

  test(
    `server-everything over ${over}: errors, cancellation, timeout, and nothing is left`,
    LIMIT,
    async () => {
      await using servers = await startPublicServers({ site: server === "site" });
      const thread = servers.host.openThread();
      const unknown = await thread.callTool(server, "no-such-tool");
      assert(unknown.isError && textOf(unknown).includes("no-such-tool not found"));
      const invalid = await thread.callTool(server, "get-sum", { a: "one", b: 2 });
      assert(invalid.isError && textOf(invalid).includes("Invalid arguments"));

      const cancelled: HostError[] = [];
      for (const way of ["cancel", "signal"]) {
        const controller = new AbortController();
        const call = thread.callTool(server, ...LONG, {
          signal: controller.signal,
          onProgress: () => way === "cancel" ? call.cancel() : controller.abort(),
        });
        cancelled.push(await assertRejects(() => call.result, HostError));
      }
      cancelled.push(
        await assertRejects(() => thread.callTool(server, ...LONG, { timeoutMs: 700 }).result, HostError),
      );
      assertEquals(cancelled.map(({ code }) => code), ["CALL_CANCELLED", "CALL_CANCELLED", "CALL_TIMEOUT"]);
      // it goes on with each of them, and tells of its progress for the rest of this test
      assertEquals(textOf(await thread.callTool(server, "echo", { message: "on" })), "Echo: on");
      if (server === "site") {
        const called = messages(servers).filter(({ params }) => params?.["name"] === LONG[0]);
        const ended = messages(servers).filter(({ method }) => method === "notifications/cancelled");
        assertEquals(ended.map(({ params }) => params?.["requestId"]), called.map(({ id }) => id));
      }

      // a call under way when all ends; the server would work on it for ten minutes
      let begun = (): void => {};
      const atWork = new Promise<void>((resolve) => begun = resolve);
      const last = thread.callTool(server, ...LONG, { onProgress: () => begun() });
      const refused = assertRejects(() => last.result, HostError);
      await atWork;
      await servers.end();
      assertEquals((await refused).code, "HOST_CLOSED");
      assert(servers.events.filter(({ kind }) => kind === "log").length <= 1, JSON.stringify(servers.events));
      if (server === "site") assertEquals(servers.requests.at(-1)?.method, "DELETE");
    },
  );
}

test("a server that is killed: its call is over, the next one starts it again", LIMIT, async () => {
  await using servers = await startPublicServers();
  const thread = servers.host.openThread();
  const call = thread.callTool("everything", ...LONG, {
    onProgress: () => {
      for (const pid of marked(servers.folder)) Deno.kill(pid, "SIGKILL");
    },
  });
  assertEquals((await assertRejects(() => call.result, HostError)).code, "CONNECTION_LOST");
  assertEquals(textOf(await thread.callTool("everything", "echo", { message: "again" })), "Echo: again");
  assertEquals(marked(servers.folder).length, 1);
  await servers.end();
});

test("a server over HTTP that is started again knows no session, and gets another", LIMIT, async () => {
  await using servers = await startPublicServers({ site: true });
  const thread = servers.host.openThread();
  await thread.callTool("site", "echo", { message: "once" });
  await servers.restartSite();
  // the stream that the host listens on may have found out already
  const found = await thread.callTool("site", "echo", { message: "on" }).result.then(textOf, codeOf);
  assert(["CONNECTION_LOST", "Echo: on"].includes(found), found);
  assertEquals(textOf(await thread.callTool("site", "echo", { message: "again" })), "Echo: again");
  await servers.end();
});

test("server-filesystem: what it may touch, and what it may not", LIMIT, async () => {
  await using servers = await startPublicServers();
  const thread = servers.host.openThread();
  const call = (tool: string, args: Record<string, string> = {}): Promise<CallToolResult> =>
    thread.callTool("filesystem", tool, args).result;
  assertEquals((await thread.tools("filesystem")).length, 14);
  const note = join(servers.files, "note.txt");
  await call("write_file", { path: note, content: "kept\n" });
  assertEquals(await Deno.readTextFile(note), "kept\n");
  assertEquals((await call("read_text_file", { path: note })).structuredContent, { content: "kept\n" });
  const outside = join(servers.folder, "outside.txt");
  for (const path of [outside, join(servers.files, "..", "outside.txt"), "/etc/passwd"]) {
    const denied = await call("write_file", { path, content: "x" });
    assert(denied.isError && textOf(denied).includes("Access denied"), textOf(denied));
  }
  await assertRejects(() => Deno.stat(outside), Deno.errors.NotFound);
  const invalid = await call("read_text_file", {});
  assert(invalid.isError && textOf(invalid).includes("Invalid arguments"));
  const stderr = servers.host.servers().find(({ name }) => name === "filesystem")?.stderr;
  assert(stderr?.includes("Secure MCP Filesystem Server running on stdio"), stderr);
  await servers.end();
});

test("server-filesystem: the folders that the host names are those that it may touch", LIMIT, async () => {
  const elsewhere = await Deno.realPath(await Deno.makeTempDir({ prefix: "public-servers-root-" }));
  const roots = [{ uri: pathToFileURL(elsewhere).href, name: "elsewhere" }];
  await using servers = await startPublicServers({ onInput: { roots: () => Promise.resolve({ roots }) } });
  const thread = servers.host.openThread();
  const allowed = async (): Promise<unknown> =>
    (await thread.callTool("filesystem", "list_allowed_directories")).structuredContent;
  // it asks after the handshake, and takes calls meanwhile
  const wanted = JSON.stringify({ content: `Allowed directories:\n${elsewhere}` });
  while (JSON.stringify(await allowed()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 20));
  await servers.end();
  await removeFolder(elsewhere);
});

test("server-memory: structured results that outlive it, and two threads at once", LIMIT, async () => {
  await using servers = await startPublicServers();
  const [one, other] = [servers.host.openThread(), servers.host.openThread()];
  assertEquals((await one.tools("memory")).length, 9);
  const entity = (name: string) => ({ name, entityType: "person", observations: [`${name} is here`] });
  const created = await one.callTool("memory", "create_entities", { entities: [entity("Alice")] });
  assertEquals(created.structuredContent, { entities: [entity("Alice")] });
  await other.callTool("memory", "create_entities", { entities: [entity("Bob")] });
  const graph = { entities: [entity("Alice"), entity("Bob")], relations: [] };
  const read = (thread: Thread): Promise<CallToolResult> => thread.callTool("memory", "read_graph").result;
  const both = await Promise.all([read(one), read(other)]);
  assertEquals(both.map(({ structuredContent }) => structuredContent), [graph, graph]);
  const missing = { observations: [{ entityName: "Nobody", contents: ["x"] }] };
  assert((await one.callTool("memory", "add_observations", missing)).isError);
  assertEquals(marked(servers.folder).length, 1);
  await servers.end();

  const onNode = await runOnNode(servers);
  assertEquals(onNode, { states: ["ready", "ready", "ready"], echo: "Echo: from Node", graph });
  assertEquals(marked(servers.folder), []);
});

/** The same servers with the host on Node, by `on_node.ts`, bundled. */
async function runOnNode({ folder, file }: PublicServers): Promise<unknown> {
  const program = new URL("on_node.ts", import.meta.url).pathname;
  const bundle = join(folder, "on_node.mjs");
  const args = ["bundle", "--quiet", "--platform=deno", "--output", bundle, program];
  const bundled = await run(Deno.execPath(), args, {
    directory: new URL("../../..", import.meta.url).pathname,
  });
  assertEquals(bundled.code, 0, bundled.output);
  const result = await run((await findNode("22")).program, [bundle, file], { directory: folder });
  assertEquals(result.code, 0, result.output);
  return JSON.parse(result.stdout);
}

/** The JSON-RPC messages that the host sent over HTTP. */
function messages({ requests }: PublicServers): readonly {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}[] {
  return requests.filter(({ body }) => body !== "").map(({ body }) => JSON.parse(body));
}

function codeOf(error: unknown): string {
  return error instanceof HostError ? error.code : String(error);
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : "").join("\n");
}
