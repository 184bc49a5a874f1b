/**
 * Bytes, and the texts that stand for them: hexadecimal and base64url out of bytes and back, UTF-8 into a string,
 * and several strings as one length-prefixed sequence. Anything malformed is `null`, never repaired.
 *
 * RFC 4648, 4 to 8; RFC 7515, 2; RFC 3629, 3 and 4.
 *
 * @module
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Each byte in lower-case hexadecimal. */
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** `bytes` in lower-case hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at++) text += HEX[bytes[at]!];
  return text;
}

/** The bytes of a base64url text without padding; `null` when it is none. Bits that stand for nothing must be 0. */
export function bytesOfBase64url(text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor(text.length * 3 / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return null;
    bits = (bits << 6 | value) & 0xfff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = bits >> held & 0xff;
  }
  return (bits & (1 << held) - 1) === 0 ? bytes : null;
}

/** The text that `bytes` are in UTF-8; `null` when they are none (overlong forms, surrogates, cut sequences). */
export function textOfUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const size = first < 0x80
      ? 1
      : first < 0xc2
      ? 0
      : first < 0xe0
      ? 2
      : first < 0xf0
      ? 3
      : first < 0xf5
      ? 4
      : 0;
    if (size === 0 || at + size > bytes.length) return null;
    let point = size === 1 ? first : first & 0xff >> size + 1;
    for (let next = 1; next < size; next++) {
      const byte = bytes[at + next] ?? 0;
      if ((byte & 0xc0) !== 0x80) return null;
      point = point << 6 | byte & 0x3f;
    }
    const least = [0, 0, 0x80, 0x800, 0x10000][size] ?? 0;
    if (point < least || point > 0x10ffff || point >= 0xd800 && point <= 0xdfff) return null;
    parts.push(String.fromCodePoint(point));
    at += size;
  }
  return parts.join("");
}

/**
 * `parts` as one sequence of bytes that no other list of parts gives: each is led by its length in bytes, four of
 * them, the highest first. An absent part (`null`) is the length 2^32 - 1 alone, and so differs from an empty one.
 */
export function encodeParts(parts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const texts = parts.map((part) => part === null ? null : encoder.encode(part));
  const bytes = new Uint8Array(texts.reduce((size, text) => size + 4 + (text?.length ?? 0), 0));
  let at = 0;
  for (const text of texts) {
    const size = text === null ? 0xffffffff : text.length;
    for (const shift of [24, 16, 8, 0]) bytes[at++] = size >>> shift & 0xff;
    if (text === null) continue;
    bytes.set(text, at);
    at += text.length;
  }
  return bytes;
}
