/**
 * Bodies are read up to the limit and no further.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import { test } from "node:test";
import { readCapped } from "../../../../adapters/http/transport/_read_capped.ts";
import { noSignal } from "../answers.ts";

test("a body up to the limit comes whole, one byte more is none", async () => {
  const read = (text: string) => readCapped(new Response(text), { signal: noSignal(), maxBytes: 4 });
  assertEquals(await read("abcd"), new TextEncoder().encode("abcd"));
  assertEquals(await read("abcde"), null);
  assertEquals(await readCapped(new Response(null), { signal: noSignal(), maxBytes: 4 }), new Uint8Array());
});

test("a body without end is read no further than the limit, and its source is told", async () => {
  let pulled = 0;
  let cancelled = false;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1;
      controller.enqueue(new Uint8Array(3));
    },
    cancel: () => void (cancelled = true),
  });
  assertEquals(await readCapped(new Response(source), { signal: noSignal(), maxBytes: 7 }), null);
  assertEquals(cancelled, true);
  assertEquals(pulled < 10, true);
});

test("chunks are joined in their order", async () => {
  const chunks = [[1, 2], [], [3]];
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
      controller.close();
    },
  });
  const body = await readCapped(new Response(source), { signal: noSignal(), maxBytes: 3 });
  assertEquals(body, Uint8Array.from([1, 2, 3]));
});

test("an abort ends a read that would never end", async () => {
  const controller = new AbortController();
  const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => controller.abort()) });
  await assertRejects(
    () => readCapped(new Response(silent), { signal: controller.signal, maxBytes: 3 }),
    DOMException,
  );
});
