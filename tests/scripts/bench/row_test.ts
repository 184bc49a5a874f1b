import { assert, assertEquals } from "@std/assert";
import { test } from "node:test";
import { atMost, formatTable, type Row, summaryOf } from "../../../scripts/bench/row.ts";

const ROWS: readonly Row[] = [
  { name: "cold", value: 5, unit: "legs", peer: "peer", peerValue: 8, target: "at most 5 legs", met: true },
  { name: "a warm call", value: 1.23456, unit: "ms", peer: "other", peerValue: 10.25 },
  { name: "size", value: 12.345, unit: "KB", target: "at most 10 KB", met: false },
  { name: "many", value: 1, unit: "exchanges", peer: "peer", peerValue: 1000 },
  { name: "none", value: 1, unit: "requests", peer: "peer", peerValue: 0 },
];

test("one table: figure, peer, its figure, ratio and target, in columns", () => {
  const lines = formatTable(ROWS);
  assertEquals(lines, [
    "                measured  peer                     ratio  target",
    "-------------------------------------------------------------------------------",
    "cold              5 legs  peer           8 legs    0.63x  met: at most 5 legs",
    "a warm call     1.235 ms  other         10.3 ms    0.12x",
    "size             12.3 KB                                  MISSED: at most 10 KB",
    "many         1 exchanges  peer   1000 exchanges  0.0010x",
    "none          1 requests  peer       0 requests",
  ]);
  assertEquals(formatTable([]).length, 2);
});

test("the summary names what is missed", () => {
  assertEquals(summaryOf(ROWS), "1 of 2 targets missed: size.");
  assertEquals(summaryOf(ROWS.filter(({ met }) => met !== false)), "All 1 targets are met.");
});

test("a limit itself is still met", () => {
  assertEquals(atMost(5, { value: 5, unit: "legs" }), { target: "at most 5 legs", met: true });
  assertEquals(atMost(1, { value: 2, unit: "exchanges", text: "one" }), { target: "one", met: false });
  assert(!atMost(10, { value: 10.001, unit: "KB" }).met);
});
