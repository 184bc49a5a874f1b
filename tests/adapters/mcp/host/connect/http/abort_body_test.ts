import { assert, assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { abortBody } from "../../../../../../adapters/mcp/host/connect/http/abort_body.ts";

function openStream(): { readonly response: Response; readonly cancelled: unknown[] } {
  const cancelled: unknown[] = [];
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
    cancel: (reason) => void cancelled.push(reason),
  });
  return {
    response: new Response(source, { status: 201, headers: { "content-type": "text/event-stream" } }),
    cancelled,
  };
}

test("an answer stays as it is, and one without a body is the same one", async () => {
  const { signal } = new AbortController();
  const whole = abortBody(new Response("body", { status: 202, headers: { "x-a": "b" } }), signal);
  assertEquals([whole.status, whole.headers.get("x-a"), await whole.text()], [202, "b", "body"]);
  const empty = new Response(null, { status: 204 });
  assert(abortBody(empty, signal) === empty);
});

test("a read that waits fails with the reason, and the source is let go", async () => {
  const { response, cancelled } = openStream();
  const controller = new AbortController();
  const reader = abortBody(response, controller.signal).body!.getReader();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "first");
  const waiting = reader.read();
  const reason = new Error("enough");
  controller.abort(reason);
  assert(await assertRejects(() => waiting) === reason);
  assertEquals(cancelled, [reason]);
});

test("one that nobody reads is let go too, and so is one that came too late", async () => {
  const early = openStream();
  const controller = new AbortController();
  const unread = abortBody(early.response, controller.signal);
  controller.abort("enough");
  assertEquals(early.cancelled, ["enough"]);
  await assertRejects(
    () => unread.text().catch((reason) => Promise.reject(new Error(reason))),
    Error,
    "enough",
  );
  const late = openStream();
  abortBody(late.response, controller.signal);
  assertEquals(late.cancelled, ["enough"]);
});

test("a source that breaks, and a reader who has enough", async () => {
  const { signal } = new AbortController();
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  await assertRejects(() => abortBody(new Response(broken), signal).text(), Error, "gone");
  const { response, cancelled } = openStream();
  await abortBody(response, signal).body!.cancel("read enough");
  assertEquals(cancelled, ["read enough"]);
});

test("a stream of this runtime ends when its request is aborted, also after a collection", {
  timeout: 60_000,
}, async () => {
  const { createServer } = await import("node:http");
  const open = new Set<unknown>();
  const server = createServer((_request, response) => {
    open.add(response);
    response.on("close", () => open.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const controllers = await Promise.all(Array.from({ length: 10 }, async () => {
    const controller = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    const reader = abortBody(response, controller.signal).body!.getReader();
    await reader.read();
    reader.read().catch(() => {});
    return controller;
  }));
  assertEquals(open.size, 10);
  // enough garbage for a collection, where none can be asked for
  let garbage: unknown[] = [];
  for (let round = 0; round < 40; round += 1) garbage = Array.from({ length: 100_000 }, (_, at) => ({ at }));
  assertEquals(garbage.length, 100_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const controller of controllers) controller.abort();
  while (open.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
