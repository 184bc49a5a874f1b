import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { documentOf, type DocumentRow, textOf } from "../../../scripts/bench/document.ts";

const ROWS: readonly DocumentRow[] = [
  { part: "cold", name: "legs", value: 5, unit: "legs", target: "at most 5 legs", met: true },
  { part: "cold", name: "time", value: 270.5, unit: "ms", peer: "peer", peerValue: 420 },
  { part: "sizes", name: ".", value: 11, unit: "KB", target: "at most 10 KB", met: false },
];

test("the document holds the rows, where and when, and what is missed", () => {
  const facts = {
    runtime: { deno: "2", v8: "15", platform: "linux x86_64", processors: 2 },
    measuredAt: "2026-12-01T00:00:00.000Z",
    quick: false,
  };
  const document = documentOf(ROWS, facts);
  assertEquals(document, {
    ...facts,
    parts: ["cold", "sizes"],
    rows: ROWS,
    targets: 2,
    missed: ["."],
  });
  const text = textOf(document);
  assertEquals([JSON.parse(text), text.endsWith("}\n")], [document, true]);
});
