import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { RecentOutput } from "../../../adapters/sandbox/_recent_output.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = { final: true };
const open = { final: false };

test("what was appended is taken once, in order", () => {
  const output = new RecentOutput(100);
  output.append(encode("one "));
  output.append(encode("two"));
  assertEquals(output.length, 7);
  assertEquals(output.take(open), { text: "one two", dropped: 0 });
  assertEquals([output.length, output.take(open)], [0, { text: "", dropped: 0 }]);
});

test("beyond the cap the oldest bytes are dropped and counted", () => {
  const output = new RecentOutput(4);
  for (const text of ["ab", "cd", "e"]) output.append(encode(text));
  assertEquals(output.take(open), { text: "bcde", dropped: 1 });
  output.append(encode("0123456789"));
  output.append(encode("x"));
  assertEquals(output.take(open), { text: "789x", dropped: 7 });
});

test("a character that comes in parts is whole, or replaced when nothing follows", () => {
  const output = new RecentOutput(100);
  const [a, b, c] = encode("€");
  output.append(new Uint8Array([65, a!]));
  assertEquals(output.take(open).text, "A");
  output.append(new Uint8Array([b!]));
  assertEquals(output.take(open).text, "");
  output.append(new Uint8Array([c!, a!]));
  assertEquals(output.take(open).text, "€");
  assertEquals(output.take(whole).text, "\ufffd");
});

test("chunks may be reused, and a byte order mark is output", () => {
  const output = new RecentOutput(100);
  const chunk = encode("\ufeffx");
  output.append(chunk);
  chunk.fill(0);
  assertEquals(output.take(whole).text, "\ufeffx");
});

test("any chunks leave the newest bytes", () => {
  const chunks = fc.array(fc.oneof(fc.string({ maxLength: 12 }), fc.constant(null)), { maxLength: 40 });
  fc.assert(fc.property(fc.integer({ min: 1, max: 9000 }), fc.nat(3000), chunks, (cap, factor, parts) => {
    const output = new RecentOutput(cap);
    let expected = "";
    let total = 0;
    for (const part of parts) {
      if (part === null) {
        const { text, dropped } = output.take(open);
        assertEquals([text, dropped], [expected.slice(-cap), Math.max(0, total - cap)]);
        [expected, total] = ["", 0];
      } else {
        const ascii = part.replaceAll(/[^ -~]/g, "?").repeat(1 + factor % 500);
        expected += ascii;
        total += ascii.length;
        output.append(encode(ascii));
      }
    }
    assertEquals(output.take(whole), { text: expected.slice(-cap), dropped: Math.max(0, total - cap) });
  }));
});
