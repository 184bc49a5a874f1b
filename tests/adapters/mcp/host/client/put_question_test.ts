import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import type { GuardedCall } from "../../../../../adapters/mcp/host/client/guarded_call.ts";
import { putQuestion, type QuestionHandler } from "../../../../../adapters/mcp/host/client/put_question.ts";
import { HostError } from "../../../../../core/errors.ts";

const { signal } = new AbortController();
const call = { context: { server: "s", thread: "T", tool: "t", signal } } as GuardedCall;

test("a question gets to the handler of its method as a request would, with the call's signal", async () => {
  const handler: QuestionHandler = (message, { mcpReq }) =>
    Promise.resolve([message, mcpReq.id, mcpReq.signal]);
  const answer = await putQuestion("q1", {
    request: { method: "roots/list", params: { a: 1 } },
    call,
    handlerOf: (method) => method === "roots/list" ? handler : undefined,
  });
  assertEquals(answer, [{ jsonrpc: "2.0", id: "q1", method: "roots/list", params: { a: 1 } }, "q1", signal]);
});

test("what is no question, of a method that may not be asked here, or has no handler, ends the call", async () => {
  const wrong = [null, {}, { method: 7 }, { method: "tools/call" }, { method: "constructor" }];
  for (const request of [...wrong, { method: "roots/list" }]) {
    const handlerOf = (method: string): QuestionHandler | undefined =>
      method === "roots/list" ? undefined : () => Promise.resolve("asked");
    const error = await assertRejects(() => putQuestion("q", { request, call, handlerOf }), HostError);
    assertEquals(error.code, "INPUT_REQUIRED");
  }
});
