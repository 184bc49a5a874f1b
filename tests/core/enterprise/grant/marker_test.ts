import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import { compareMarker, readMarker, writeMarker } from "../../../../core/enterprise/grant/marker.ts";

const marker = { current: "a".repeat(64), generation: "0".repeat(31) + "1", revision: 3 };

test("writeMarker, readMarker: there and back, unknown members passed over", () => {
  for (const one of [marker, { ...marker, current: null }]) assertEquals(readMarker(writeMarker(one)), one);
  assertEquals(readMarker(JSON.stringify({ ...JSON.parse(writeMarker(marker)), future: 1 })), marker);
});

test("readMarker: anything else is unreadable", () => {
  const raw = JSON.parse(writeMarker(marker));
  const texts = ["", "{", "null", "{}"];
  const wrong = [{ version: 2 }, { current: "x" }, { current: undefined }, { generation: "x" }, {
    revision: "3",
  }];
  for (const text of [...texts, ...wrong.map((fields) => JSON.stringify({ ...raw, ...fields }))]) {
    const error = assertThrows(() => readMarker(text), EnterpriseError);
    assertEquals([error.code, error.cause], ["MARKER_MALFORMED", undefined]);
  }
});

test("compareMarker: same, rotated, replaced", () => {
  assertEquals(compareMarker(marker, { ...marker }), "same");
  assertEquals(compareMarker(marker, { ...marker, revision: 4 }), "rotated");
  assertEquals(compareMarker(marker, { ...marker, generation: "f".repeat(32) }), "replaced");
  assertEquals(compareMarker(marker, { ...marker, current: null }), "replaced");
});
