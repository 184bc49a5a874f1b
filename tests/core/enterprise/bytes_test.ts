import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { bytesOfBase64url, encodeParts, hexOf, textOfUtf8 } from "../../../core/enterprise/bytes.ts";
import { base64url } from "./tokens.ts";

test("hexOf: two lower-case digits a byte", () => {
  assertEquals(hexOf(new Uint8Array([0, 15, 16, 255])), "000f10ff");
});

test("bytesOfBase64url and textOfUtf8: there and back", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const bytes = bytesOfBase64url(base64url(text));
    assertEquals(bytes === null ? null : textOfUtf8(bytes), text);
  }));
});

test("bytesOfBase64url: padding, other alphabets, stray bits and impossible lengths are refused", () => {
  for (const text of ["QQ==", "+A", "/A", "Q Q", "QQ\n", "A", "AAAAA", "QR", "QUJ", "é"]) {
    assertEquals(bytesOfBase64url(text), null, text);
  }
  assertEquals(bytesOfBase64url(""), new Uint8Array());
});

test("textOfUtf8: exactly what a strict decoder takes", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array): string | null => {
    try {
      return strict.decode(bytes);
    } catch {
      return null;
    }
  };
  const edges = [
    "c080",
    "c1bf",
    "e08080",
    "eda080",
    "edbfbf",
    "f0808080",
    "f4908080",
    "f5808080",
    "c2",
    "e282",
    "80",
  ];
  for (const hex of [...edges, "efbbbf41", "ed9fbf", "ee8080", "f48fbfbf", "f0908080", "00"]) {
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
    assertEquals(textOfUtf8(bytes), decode(bytes), hex);
  }
  const near = fc.array(
    fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xa0, 0x9f, 0x90, 0x8f),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(fc.oneof(near, fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 6 })), (list) => {
      const bytes = Uint8Array.from(list);
      assertEquals(textOfUtf8(bytes), decode(bytes));
    }),
    { numRuns: 2000 },
  );
});

test("encodeParts: no two lists of parts give the same bytes", () => {
  const part = fc.oneof(
    fc.constant(null),
    fc.string({ maxLength: 3 }),
    fc.constantFrom("", "\u0000", "\u0000\u0000\u0000\u0001a"),
  );
  const list = fc.array(part, { maxLength: 4 });
  fc.assert(
    fc.property(list, list, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      assertEquals(hexOf(encodeParts(a)) === hexOf(encodeParts(b)), same);
    }),
    { numRuns: 2000 },
  );
  assertEquals(hexOf(encodeParts(["ä", null, ""])), "00000002c3a4ffffffff00000000");
});
