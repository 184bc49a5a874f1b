import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { Connection } from "../../../../adapters/cli/check/connection.ts";
import { NoAnswer, type Reply } from "../../../../adapters/cli/check/connection.ts";
import { openServer, paramsOf } from "../../../../adapters/cli/check/era.ts";

test("params carry the envelope of their era, and every text as it is", () => {
  assertEquals(paramsOf("2025-11-25"), "{}");
  assertEquals(paramsOf("2025-11-25", ['"a": 1.0'], ['"b":-0']), '{"a": 1.0,"_meta":{"b":-0}}');
  const modern = JSON.parse(paramsOf("2026-07-28", ['"a":1'], ['"b":2']));
  assertEquals([modern.a, modern._meta.b], [1, 2]);
  assertEquals(Object.keys(modern._meta), [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
    "b",
  ]);
});

test("the handshake of 2025 is spoken in its order, and all pages of tools are read", async () => {
  const { connection, said } = fake({
    "initialize": [{ result: { capabilities: { tools: {} }, serverInfo: { name: "s" } } }],
    "tools/list": [
      { result: { tools: [{ name: "a", inputSchema: { x: 1 } }, { name: 5 }], nextCursor: '"2' } },
      { result: { tools: [{ name: "b" }] } },
    ],
  });
  const opened = await openServer(connection, "2025-11-25");
  assertEquals(said.map(([method]) => method), [
    "initialize",
    "notifications/initialized",
    "tools/list",
    "tools/list",
  ]);
  assertEquals(JSON.parse(said[0]![1]).protocolVersion, "2025-11-25");
  assertEquals(JSON.parse(said[3]![1]), { cursor: '"2' });
  assertEquals(opened, {
    era: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "s" },
    tools: [{ name: "a", inputSchema: { x: 1 } }, { name: "b", inputSchema: undefined }],
  });
});

test("2026-07-28 has no handshake", async () => {
  const { connection, said } = fake({
    "server/discover": [{
      result: { capabilities: { a: 1 }, _meta: { "io.modelcontextprotocol/serverInfo": { name: "m" } } },
    }],
    "tools/list": [{ result: { tools: [] } }],
  });
  const opened = await openServer(connection, "2026-07-28");
  assertEquals(said.map(([method]) => method), ["server/discover", "tools/list"]);
  assertEquals([opened.capabilities, opened.serverInfo], [{ a: 1 }, { name: "m" }]);
});

test("an error in place of a greeting is no server of that era", async () => {
  const { connection } = fake({ "server/discover": [{ error: { message: "Method not found" } }] });
  await assertRejects(
    () => openServer(connection, "2026-07-28"),
    NoAnswer,
    'server/discover is answered with an error: "Method not found"',
  );
});

/** A connection that answers from a list, and notes what was said. */
function fake(replies: Readonly<Record<string, Reply[]>>): {
  readonly connection: Connection;
  readonly said: [string, string][];
} {
  const said: [string, string][] = [];
  const connection: Pick<Connection, "request" | "notify"> = {
    request: (method, params) => {
      said.push([method, params]);
      return Promise.resolve(replies[method]!.shift()!);
    },
    notify: (method, params) => {
      said.push([method, params]);
      return Promise.resolve();
    },
  };
  return { connection: connection as Connection, said };
}
