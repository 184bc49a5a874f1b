import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { boundBody } from "../../../../../../adapters/mcp/host/connect/http/bound_body.ts";

function answer(chunks: readonly string[], type: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return new Response(body, {
    status: 201,
    statusText: "Made",
    headers: { "content-type": type, "x-other": "1" },
  });
}

test("a document up to the bound is read whole, with its status and fields", async () => {
  const bound = boundBody(answer(["01234", "56789"], "application/json"), 10);
  assertEquals([bound.status, bound.statusText, bound.headers.get("x-other")], [201, "Made", "1"]);
  assertEquals(await bound.text(), "0123456789");
});

test("a longer document fails, line breaks or not", async () => {
  for (const chunks of [["01234567890"], ["0\n\n123", "45\n\n67890"]]) {
    await assertRejects(
      () => boundBody(answer(chunks, "application/json"), 10).text(),
      Error,
      "more than 10 bytes",
    );
  }
});

test("a stream of events may be as long as it likes, in events up to the bound", async () => {
  for (const end of ["\n\n", "\r\n\r\n", "\r\r", "\r\n\n", "\n\r", "\n\r\n"]) {
    const chunks = Array.from({ length: 100 }, () => `data: 1${end.slice(0, 1)}`).flatMap((one, at) =>
      at % 2 === 0 ? [one, end.slice(1)] : [`data: 1${end}`]
    );
    const text = chunks.join("");
    assertEquals(await boundBody(answer(chunks, "text/event-stream; charset=utf-8"), 20).text(), text);
  }
});

test("an event of exactly the bound is read after any end of the one before, and one byte more is not", async () => {
  for (const end of ["\n\n", "\r\n\r\n", "\r\r"]) {
    for (const [size, ok] of [[20, true], [21, false]] as const) {
      const event = `data: 1${end}data: ${"x".repeat(size - 6)}`;
      for (const chunks of [[event], [...event]]) {
        const text = boundBody(answer(chunks, "text/event-stream"), 20).text();
        // a chunk that ends one event and begins another counts from there on
        if (ok) assertEquals(await text, event);
        else await assertRejects(() => text, Error, "more than 20 bytes");
      }
    }
  }
});

test("lines are no events, however they end", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const chunks = Array.from({ length: 10 }, () => `data:1${end}`);
    await assertRejects(
      () => boundBody(answer(chunks, "text/event-stream"), 20).text(),
      Error,
      "more than 20 bytes",
    );
  }
});

test("an event that is too long fails, in one line or many, and those before it are read", async () => {
  for (
    const chunks of [["data: 1\n\n", "data: 0123", "45678901234567890"], [
      "data: 1\n\n",
      "data:1\ndata:2\ndata:3\ndata:4\n",
    ]]
  ) {
    const reader = boundBody(answer(chunks, "text/event-stream"), 20).body!.getReader();
    assertEquals(new TextDecoder().decode((await reader.read()).value), "data: 1\n\n");
    await assertRejects(
      async () => {
        while (!(await reader.read()).done);
      },
      Error,
      "more than 20 bytes",
    );
  }
});

test("an answer without a body stays as it is", () => {
  const empty = new Response(null, { status: 202 });
  assertEquals(boundBody(empty, 10), empty);
});
