import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { type BodyReader, readBody } from "../../../../../../adapters/mcp/host/connect/http/body_reader.ts";

/** A body that fills the buffers that it is given, and the sizes of those. */
function byteBody(length: number): { body: ReadableStream<Uint8Array<ArrayBuffer>>; sizes: number[] } {
  const sizes: number[] = [];
  let sent = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      const view = controller.byobRequest?.view as Uint8Array;
      const size = Math.min(view.byteLength, length - sent);
      for (let at = 0; at < size; at++) view[at] = (sent + at) % 251;
      if (size > 0) sizes.push(view.byteLength);
      sent += size;
      if (size === 0) controller.close();
      controller.byobRequest?.respond(size);
    },
  });
  return { body: body as ReadableStream<Uint8Array<ArrayBuffer>>, sizes };
}

async function all(reader: BodyReader): Promise<readonly number[]> {
  const bytes: number[] = [];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) bytes.push(...piece.value);
  return bytes;
}

test("the buffer is small at first, and grows while pieces fill it", async () => {
  const { body, sizes } = byteBody(200_000);
  const bytes = await all(readBody(body));
  assertEquals(bytes.length, 200_000);
  assert(bytes.every((byte, at) => byte === at % 251));
  assertEquals(sizes.slice(0, 5), [1_024, 4_096, 16_384, 65_536, 65_536]);
  const short = byteBody(1_000);
  await all(readBody(short.body));
  assertEquals(short.sizes, [1_024]);
});

test("a body that gives pieces of its own is read as it comes", async () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  assertEquals(await all(readBody(body)), [1, 2, 3]);
});

test("a body that is cancelled is let go, one that fails fails, one that is locked is refused", async () => {
  for (const type of ["bytes", undefined] as const) {
    let reason: unknown;
    const source = {
      ...(type === undefined ? {} : { type }),
      cancel: (given: unknown) => void (reason = given),
    };
    const body = new ReadableStream(source as UnderlyingByteSource) as ReadableStream<
      Uint8Array<ArrayBuffer>
    >;
    await readBody(body).cancel("enough");
    assertEquals(reason, "enough");
    const broken = new ReadableStream(
      {
        ...(type === undefined ? {} : { type }),
        start: (controller: ReadableByteStreamController) => controller.error(new Error("cut")),
      } as UnderlyingByteSource,
    ) as ReadableStream<Uint8Array<ArrayBuffer>>;
    await assertRejects(() => readBody(broken).read(), Error, "cut");
    const locked = new ReadableStream(source as UnderlyingByteSource) as ReadableStream<
      Uint8Array<ArrayBuffer>
    >;
    locked.getReader();
    assertThrows(() => readBody(locked), TypeError);
  }
});
