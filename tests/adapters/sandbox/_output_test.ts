import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { OutputBuffer } from "../../../adapters/sandbox/_output.ts";

test("bytes up to the cap are kept in order, the rest is dropped", () => {
  const output = new OutputBuffer(10_000);
  const all = new Uint8Array(12_000).map((_, index) => index * 7);
  for (let from = 0, size = 1; from < all.length; from += size, size = size * 3 % 1009) {
    output.append(all.subarray(from, from + size));
    assertEquals(output.truncated, from + size > 10_000);
  }
  assertEquals(output.read(), all.slice(0, 10_000));
});

test("an exact fit is not truncated, and one byte more is", () => {
  const output = new OutputBuffer(3);
  assertEquals(output.append(new Uint8Array([1, 2, 3])), new Uint8Array([1, 2, 3]));
  assertEquals(output.append(new Uint8Array()).length, 0);
  assertEquals(output.truncated, false);
  assertEquals(output.append(new Uint8Array([4])).length, 0);
  assertEquals(output.truncated, true);
  assertEquals(output.read(), new Uint8Array([1, 2, 3]));
});

test("a cap of zero keeps nothing", () => {
  const output = new OutputBuffer(0);
  assertEquals(output.append(new Uint8Array([1])).length, 0);
  assertEquals([output.read().length, output.truncated], [0, true]);
});

test("what was read and what was given are not shared", () => {
  const output = new OutputBuffer(8);
  const chunk = new Uint8Array([1, 2]);
  output.append(chunk);
  chunk[0] = 9;
  output.read()[1] = 9;
  assertEquals(output.read(), new Uint8Array([1, 2]));
});
