import { assertEquals } from "@std/assert";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { readChunks, unrefStream } from "../../../adapters/node/_child_streams.ts";

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += new TextDecoder().decode(chunk);
  return text;
}

test("what came before anybody read is kept, and a stream that breaks has ended", async () => {
  const stream = new PassThrough();
  const chunks = readChunks(stream);
  stream.end("all");
  assertEquals(await textOf(chunks), "all");
  const broken = new PassThrough();
  const read = textOf(readChunks(broken));
  broken.destroy(new Error("gone"));
  assertEquals(await read, "");
  assertEquals(await textOf(readChunks(null)), "");
});

test("a stream is let go of where it can be", () => {
  let released = 0;
  const stream = Object.assign(new PassThrough(), { unref: () => released++ });
  for (const one of [stream, new PassThrough(), null, undefined]) unrefStream(one);
  assertEquals(released, 1);
});
