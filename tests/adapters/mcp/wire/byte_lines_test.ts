import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { ByteLines } from "../../../../adapters/mcp/wire/byte_lines.ts";

test("lines come out with their ends, and what has none stays until it is asked for", () => {
  const lines = new ByteLines(100);
  assertEquals(lines.push(bytes("one\r\n\ntw")).map(text), ["one\r\n", "\n"]);
  assertEquals(lines.push(bytes("o\nthree")).map(text), ["two\n"]);
  assertEquals(text(lines.rest()), "three");
  assertEquals(text(lines.rest()), "");
});

test("however bytes are split, they come out as they came", () => {
  fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
    const lines = new ByteLines(10_000);
    const out = [...chunks.flatMap((chunk) => lines.push(chunk)), lines.rest()];
    assertEquals(out.flatMap((line) => [...line]), chunks.flatMap((chunk) => [...chunk]));
    for (const line of out.slice(0, -1)) assertEquals(line.indexOf(10), line.length - 1);
    assertEquals(out.at(-1)?.includes(10), false);
  }));
});

test("a chunk may be reused once it was taken", () => {
  const lines = new ByteLines(100);
  const chunk = bytes("ab");
  lines.push(chunk);
  chunk.fill(0);
  assertEquals(lines.push(bytes("c\n")).map(text), ["abc\n"]);
});

test("a line that is too long is refused, and one of just that length is not", () => {
  assertEquals(new ByteLines(4).push(bytes("abc\nabc\n")).length, 2);
  assertThrows(() => new ByteLines(4).push(bytes("abcd\n")), RangeError, "more than 4 bytes");
  const lines = new ByteLines(4);
  lines.push(bytes("abcd"));
  assertThrows(() => lines.push(bytes("e")), RangeError, "more than 4 bytes");
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(line: Uint8Array): string {
  return new TextDecoder().decode(line);
}
