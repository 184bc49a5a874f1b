import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { addCounts, readCounts } from "../../../scripts/suites/test_counts.ts";

const TAP = "1..3\n# tests 6\n# suites 0\n# pass 3\n# fail 1\n# cancelled 2\n# skipped 0\n# todo 0\n";
const CASES: readonly (readonly [string, string, number, number, number])[] = [
  ["Deno", "x ... ok (1ms)\n\nok | 12 passed | 0 failed (5ms)\n", 0, 12, 0],
  ["Deno with steps", "FAILED | 3 passed (1 step) | 2 failed (4 steps) (5ms)\n", 1, 3, 2],
  ["Deno with ignored tests", "ok | 3 passed | 0 failed | 1 ignored (5ms)\n", 0, 3, 0],
  ["the last summary of Deno", "ok | 9 passed | 0 failed (1ms)\nok | 2 passed | 0 failed (5ms)\n", 0, 2, 0],
  ["Node in TAP", TAP, 1, 3, 3],
  ["Node in its own format", "ℹ tests 4\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\n", 0, 4, 0],
  ["Bun", "(pass) a [1.00ms]\n\n 12 pass\n 0 fail\nRan 12 tests across 2 files. [1.00s]\n", 0, 12, 0],
  ["Bun with skipped tests", " 1 pass\n 2 skip\n 1 todo\n 3 fail\n 1 error\nRan 7 tests\n", 1, 1, 3],
  ["Bun that tested nothing", "\n 0 pass\n 0 fail\nRan 0 tests across 1 file. [4.00ms]\n", 0, 0, 1],
  ["no test at all", "ok | 0 passed | 0 failed (0ms)\n", 0, 0, 1],
  ["no summary", "error: Module not found\n", 1, 0, 1],
  ["a bad end without a failed test", "ok | 2 passed | 0 failed (5ms)\n", 1, 2, 1],
];

for (const [name, output, code, passed, failed] of CASES) {
  test(`readCounts: ${name}`, () => assertEquals(readCounts(output, code), { passed, failed }));
}

test("addCounts sums", () => {
  assertEquals(addCounts([{ passed: 1, failed: 2 }, { passed: 3, failed: 4 }]), { passed: 4, failed: 6 });
  assertEquals(addCounts([]), { passed: 0, failed: 0 });
});
