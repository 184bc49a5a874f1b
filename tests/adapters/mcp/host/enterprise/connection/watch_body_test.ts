import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { watchBody } from "../../../../../../adapters/mcp/host/enterprise/connection/watch_body.ts";

function counted(): { readonly over: () => void; readonly times: () => number } {
  let times = 0;
  return { over: () => void (times += 1), times: () => times };
}

test("an answer stays as it is, and is over once it was read", async () => {
  const { over, times } = counted();
  const response = watchBody(new Response("body", { status: 202, headers: { "x-a": "b" } }), over);
  assertEquals([response.status, response.headers.get("x-a"), times()], [202, "b", 0]);
  assertEquals([await response.text(), times()], ["body", 1]);
});

test("an answer without a body is over at once, one that is cancelled or broken when it is", async () => {
  const empty = counted();
  watchBody(new Response(null, { status: 204 }), empty.over);
  assertEquals(empty.times(), 1);
  const cancelled = counted();
  let reason: unknown;
  const source = new ReadableStream({ cancel: (given) => void (reason = given) });
  await watchBody(new Response(source), cancelled.over).body?.cancel("enough");
  assertEquals([cancelled.times(), reason], [1, "enough"]);
  const broken = counted();
  const breaking = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  await assertRejects(() => watchBody(new Response(breaking), broken.over).text());
  assertEquals(broken.times(), 1);
});
