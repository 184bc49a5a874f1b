import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { CallAuthority } from "../../../../../adapters/mcp/host/call/authority.ts";
import { ToolCall } from "../../../../../adapters/mcp/host/call/tool_call.ts";

const authority = new CallAuthority({
  thread: "T",
  server: "s",
  tool: "t",
  turn: null,
  account: null,
  generation: null,
});

test("it is waited for like a promise, and cancelled by name", async () => {
  let cancelled = 0;
  const call = new ToolCall(authority, {
    result: Promise.resolve({ content: [] }),
    cancel: () => cancelled += 1,
  });
  assertEquals([await call, await call.result], [{ content: [] }, { content: [] }]);
  assertEquals(await call.then(({ content }) => content.length), 0);
  call.cancel();
  assertEquals([cancelled, call.authority], [1, authority]);
});

test("a failure that nobody waits for bothers nobody, and who waits is told", async () => {
  const call = new ToolCall(authority, { result: Promise.reject(new Error("failed")), cancel: () => {} });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await assertRejects(() => call.then(), Error, "failed");
  assertEquals(await call.then(null, () => "caught"), "caught");
});
