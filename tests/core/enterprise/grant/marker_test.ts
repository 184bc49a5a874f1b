import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import {
  compareMarker,
  endedMarker,
  readMarker,
  withVoided,
  writeMarker,
} from "../../../../core/enterprise/grant/marker.ts";

const marker = { current: "a".repeat(64), generation: "0".repeat(31) + "1", revision: 3 };

const OTHER = "b".repeat(64);

test("writeMarker, readMarker: there and back, unknown members passed over", () => {
  for (const one of [marker, { ...marker, current: null }, { ...marker, voided: [OTHER] }]) {
    assertEquals(readMarker(writeMarker(one)), one);
  }
  assertEquals(readMarker(JSON.stringify({ ...JSON.parse(writeMarker(marker)), future: 1 })), marker);
});

test("readMarker: anything else is unreadable", () => {
  const raw = JSON.parse(writeMarker(marker));
  const texts = ["", "{", "null", "{}"];
  const wrong = [
    { version: 2 },
    { current: "x" },
    { current: undefined },
    { generation: "x" },
    {
      revision: "3",
    },
    { voided: "x" },
    { voided: ["x"] },
    { voided: [null] },
  ];
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

test("endedMarker: nobody is signed in any more, or another account still is; the grant is void", () => {
  const generation = "e".repeat(32);
  const { current: key } = marker;
  const nobody = { current: null, generation, revision: 0 };
  assertEquals(endedMarker(marker, { key, generation }), { ...nobody, voided: [key] });
  assertEquals(endedMarker({ ...marker, voided: [OTHER, key] }, { key, generation }), {
    ...nobody,
    voided: [key, OTHER],
  });
  assertEquals(endedMarker(null, { key: null, generation }), nobody);
  const foreign = endedMarker(marker, { key: OTHER, generation });
  assertEquals(foreign, { ...marker, revision: 4, voided: [OTHER] });
  assertEquals(compareMarker(marker, foreign), "rotated");
  assertEquals(withVoided(foreign, []), { ...marker, revision: 4 });
});
