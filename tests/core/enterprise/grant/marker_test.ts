import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { EnterpriseError } from "../../../../core/enterprise/error.ts";
import {
  compareMarker,
  deletedMarker,
  endedMarker,
  isVoid,
  readMarker,
  signedInMarker,
  withVoided,
  writeMarker,
} from "../../../../core/enterprise/grant/marker.ts";

const marker = { current: "a".repeat(64), generation: "0".repeat(31) + "1", revision: 3 };

const OTHER = "b".repeat(64);

test("writeMarker, readMarker: there and back, unknown members passed over", () => {
  const more = { change: "c".repeat(32), only: [] };
  const all = [marker, { ...marker, current: null }, { ...marker, voided: [OTHER] }, { ...marker, ...more }];
  for (const one of all) {
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
    { change: "x" },
    { change: null },
    { only: "x" },
    { only: [null] },
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
  assertEquals(foreign, { ...marker, change: generation, voided: [OTHER] });
  assertEquals(compareMarker(marker, foreign), "replaced");
  assertEquals(withVoided(foreign, []), { ...marker, change: generation });
});

test("endedMarker, signedInMarker: under a marker that was damaged only later sign-ins count", () => {
  const generation = "e".repeat(32);
  const { current: key } = marker;
  const nobody = { current: null, generation, revision: 0 };
  assertEquals(endedMarker("damaged", { key: null, generation }), { ...nobody, only: [] });
  const ended = endedMarker("damaged", { key, generation });
  assertEquals(ended, { ...nobody, only: [], voided: [key] });
  assertEquals([isVoid(ended, key), isVoid(ended, OTHER)], [true, true]);
  const signedIn = { generation, revision: 0 };
  const later = signedInMarker(ended, { key: OTHER, signedIn, left: [key] });
  assertEquals(later, { ...signedIn, current: OTHER, only: [OTHER], voided: [key] });
  assertEquals([isVoid(later, key), isVoid(later, OTHER)], [true, false]);
  const both = signedInMarker(later, { key, signedIn, left: [] });
  assertEquals(both, { ...signedIn, current: key, only: [OTHER, key] });
  assertEquals(signedInMarker(both, { key, signedIn, left: [] }), both);
  const other = { key: OTHER, signedIn, left: [] };
  assertEquals(signedInMarker("damaged", other).only, [OTHER]);
  for (const before of [null, marker]) {
    assertEquals(signedInMarker(before, other), { ...signedIn, current: OTHER });
  }
});

test("deletedMarker: void for everyone, and seen by everyone", () => {
  const change = "d".repeat(32);
  const foreign = deletedMarker({ ...marker, voided: [OTHER] }, { key: OTHER, change });
  assertEquals(foreign, { ...marker, change, voided: [OTHER] });
  const { current: key } = marker;
  assertEquals(deletedMarker(marker, { key, change }), { ...marker, revision: 4, change, voided: [key] });
  for (const one of [foreign, withVoided(foreign, [])]) {
    assertEquals(compareMarker(marker, one), "replaced");
    assertEquals(compareMarker({ ...one, change: "c".repeat(32) }, one), "replaced");
  }
});
