import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { LineReader } from "../../../../adapters/mcp/wire/line_reader.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Lines of `input`, handed over `size` bytes at a time in one buffer that is used again. */
function readAll(input: Uint8Array, size: number, maxBytes = 1_000): readonly string[] {
  const reader = new LineReader(maxBytes);
  const buffer = new Uint8Array(size);
  const lines: string[] = [];
  for (let at = 0; at < input.length; at += size) {
    const part = input.subarray(at, at + size);
    buffer.set(part);
    lines.push(...reader.push(buffer.subarray(0, part.length)));
    buffer.fill(0x21);
  }
  return lines;
}

test("lines are the same however they are split", () => {
  const input = bytes('{"a":1}\n\n{"é😀":"\u2028"}\r\n\r\n"x\ry"\nlast\nunfinished');
  const expected = ['{"a":1}', '{"é😀":"\u2028"}', '"x\ry"', "last"];
  for (let size = 1; size <= input.length; size++) assertEquals(readAll(input, size), expected);
});

test("a line without its end is not given out", () => {
  const reader = new LineReader(100);
  assertEquals(reader.push(bytes("unfinished")), []);
  assertEquals(reader.push(new Uint8Array()), []);
  assertEquals(reader.push(bytes("\n")), ["unfinished"]);
  assertEquals(reader.push(bytes("\n")), []);
});

test("only one carriage return belongs to the end, and a byte order mark to the line", () => {
  assertEquals(new LineReader(100).push(bytes("a\r\r\n")), ["a\r"]);
  assertEquals(new LineReader(100).push(bytes("\uFEFFa\n")), ["\uFEFFa"]);
});

test("a line may have as many bytes as the limit, and no more", () => {
  for (const size of [1, 3, 100]) {
    assertEquals(readAll(bytes("12345\n67890\n"), size, 6), ["12345", "67890"]);
    assertThrows(() => readAll(bytes("12345\n123456\n"), size, 6), RangeError, "more than 6 bytes");
    assertThrows(() => readAll(bytes("1234567"), size, 6), RangeError);
    assertThrows(() => readAll(bytes("éé\u00e9\n"), size, 6), RangeError);
  }
});

test("what is not UTF-8 is an error, whole or split", () => {
  for (const bad of [[0xff, 0x0a], [0x61, 0xc3, 0x0a], [0xed, 0xa0, 0x80, 0x0a], [0xc0, 0x80, 0x0a]]) {
    for (const size of [1, bad.length]) assertThrows(() => readAll(new Uint8Array(bad), size), TypeError);
  }
});

test("a long line in many chunks takes time in its bytes, not in their square", () => {
  const reader = new LineReader(1 << 26);
  const chunk = new Uint8Array(1 << 10).fill(0x61);
  for (let count = 0; count < 1 << 13; count++) assertEquals(reader.push(chunk), []);
  assertEquals(reader.push(bytes("\n"))[0]?.length, 1 << 23);
});
