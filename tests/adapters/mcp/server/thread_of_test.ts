import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { threadOf } from "../../../../adapters/mcp/server/thread_of.ts";
import { CodexMcpError } from "../../../../core/errors.ts";

const signal = new AbortController().signal;

test("the thread is the host's word in the call's _meta, in every shape of a context", () => {
  const _meta = { threadId: "t-1", sessionId: "s" };
  assertEquals(threadOf({ signal, _meta }), "t-1");
  assertEquals(threadOf({ mcpReq: { signal, _meta } }), "t-1");
  assertEquals(threadOf({ id: 1, params: { _meta } }), "t-1");
  assertEquals(threadOf({ _meta: { threadId: "" } }), "");
  assertEquals(threadOf({ _meta, params: { _meta } }), "t-1");
});

test("arguments, sessions and inherited members name no thread", () => {
  for (
    const context of [
      undefined,
      {},
      { _meta: {} },
      { threadId: "t", _meta: { sessionId: "s", "x-codex-turn-metadata": { thread_id: "t" } } },
      { params: { threadId: "t", arguments: { threadId: "t", _meta: { threadId: "t" } } } },
      { _meta: Object.create({ threadId: "t" }) },
    ]
  ) assertEquals(threadOf(context), undefined);
});

test("what is no text, and copies that differ, are refused", () => {
  const codeOf = (context: unknown): string => {
    const error = assertThrows(() => threadOf(context));
    return error instanceof CodexMcpError ? error.code : String(error);
  };
  for (const threadId of [null, 1, {}, ["t"], true]) {
    assertEquals(codeOf({ _meta: { threadId } }), "SESSION_INVALID");
  }
  assertEquals(codeOf({ _meta: { threadId: "a" }, params: { _meta: { threadId: "b" } } }), "STATE_CONFLICT");
  assertEquals(codeOf({ _meta: { threadId: "a" }, params: { _meta: {} } }), "STATE_CONFLICT");
});
