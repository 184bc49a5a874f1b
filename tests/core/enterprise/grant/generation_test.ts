import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { isGeneration, isRevision, newGeneration } from "../../../../core/enterprise/grant/generation.ts";

test("newGeneration: 128 random bits", () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, index) => index * 16);
  assertEquals(newGeneration(bytes), "00102030405060708090a0b0c0d0e0f0");
  for (
    const wrong of [new Uint8Array(16), new Uint8Array(16).fill(255), bytes.slice(1), new Uint8Array(32)]
  ) {
    const error = assertThrows(() => newGeneration(wrong), EnterpriseError);
    assertEquals(error.code, "RANDOM_MALFORMED");
  }
});

test("isGeneration, isRevision", () => {
  assertEquals(["0".repeat(32), "0".repeat(31), "G".repeat(32), 7, null].map(isGeneration), [
    true,
    false,
    false,
    false,
    false,
  ]);
  assertEquals([0, 7, -1, 1.5, "1", 2 ** 53].map(isRevision), [true, true, false, false, false, false]);
});
