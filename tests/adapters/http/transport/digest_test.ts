/**
 * SHA-256, by the first vectors of FIPS 180.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { createDigest } from "../../../../adapters/http/transport/digest.ts";

async function hexDigest(text: string): Promise<string> {
  const digest = await createDigest().sha256(new TextEncoder().encode(text));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

test("digests have 32 bytes and the right ones", async () => {
  assertEquals(await hexDigest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assertEquals(await hexDigest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
