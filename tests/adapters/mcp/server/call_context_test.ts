import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  isImplementation,
  isSdkContext,
  readCallContext,
} from "../../../../adapters/mcp/server/call_context.ts";

const CLIENT = { name: "codex-mcp-client", version: "0.171.0" };
const CLIENT_INFO = { "io.modelcontextprotocol/clientInfo": CLIENT };

test("every shape shows its _meta and its request id", () => {
  const _meta = { a: 1 };
  const shapes: readonly (readonly [unknown, string | number | undefined])[] = [
    [{ _meta, requestId: 0 }, 0],
    [{ mcpReq: { _meta, id: "x" } }, "x"],
    [{ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "run", _meta } }, 7],
    [{ name: "run", _meta }, undefined],
  ];
  for (const [context, requestId] of shapes) {
    assertEquals(readCallContext(context), { metas: [_meta], requestId, http: false, client: undefined });
  }
});

test("what is no context shows nothing", () => {
  const nothing = { metas: [], requestId: undefined, http: false, client: undefined };
  for (
    const value of [undefined, null, "text", 1, [], {}, { params: null }, { mcpReq: "no", _meta: undefined }]
  ) {
    assertEquals(readCallContext(value), nothing);
  }
  assertEquals(readCallContext(Object.create({ _meta: { inherited: true } })), nothing);
});

test("several copies are all shown, a null among them", () => {
  const context = { _meta: { a: 1 }, mcpReq: { _meta: null }, params: { _meta: { a: 2 } } };
  assertEquals(readCallContext(context).metas, [null, { a: 1 }, { a: 2 }]);
});

test("tool arguments are not looked at", () => {
  const forged = { _meta: { "codex/sandbox-state": {} } };
  assertEquals(readCallContext({ id: 1, params: { name: "run", arguments: forged } }).metas, []);
  assertEquals(readCallContext({ arguments: forged }).metas, []);
});

test("every sign of HTTP counts, an inherited one too", () => {
  for (const mark of ["http", "requestInfo", "authInfo", "closeSSEStream", "closeStandaloneSSEStream"]) {
    assertEquals([mark, readCallContext({ [mark]: {} }).http], [mark, true]);
    assertEquals([mark, readCallContext(Object.create({ [mark]: {} })).http], [mark, true]);
    assertEquals([mark, readCallContext({ [mark]: undefined }).http], [mark, false]);
  }
});

test("the client is read from the envelope, then from _meta", () => {
  assertEquals(readCallContext({ mcpReq: { envelope: CLIENT_INFO } }).client, CLIENT);
  assertEquals(readCallContext({ _meta: CLIENT_INFO }).client, CLIENT);
  const other = { "io.modelcontextprotocol/clientInfo": { name: "other", version: "1" } };
  assertEquals(readCallContext({ mcpReq: { envelope: CLIENT_INFO, _meta: other } }).client, CLIENT);
  assertEquals(readCallContext({ _meta: { "io.modelcontextprotocol/clientInfo": "x" } }).client, undefined);
});

test("an implementation has a name and a version", () => {
  assertEquals([CLIENT, { name: "x" }, { version: "1" }, null, "x"].map(isImplementation), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("only what holds a signal is an SDK context", () => {
  const { signal } = new AbortController();
  assertEquals([{ signal }, { mcpReq: { signal } }].map(isSdkContext), [true, true]);
  const json: readonly unknown[] = [
    { signal: {} },
    { mcpReq: { signal: { aborted: false } } },
    { _meta: {} },
    null,
  ];
  assertEquals(json.map(isSdkContext), [false, false, false, false]);
});
