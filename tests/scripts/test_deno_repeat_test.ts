import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { afterRepeat, failedFiles, type SuiteRun } from "../../scripts/test_deno.ts";

const OUTPUT = `running 2 tests from ./tests/a_test.ts
 ERRORS 

one => ./tests/a_test.ts:5:1
error: AssertionError

 FAILURES 

one => ./tests/a_test.ts:5:1
two => ./tests/a_test.ts:9:3
three => ./tests/b_test.ts:1:1

FAILED | 7 passed | 3 failed (1s)
`;
const run = (passed: number, failed: number): SuiteRun => ({
  name: "suite",
  counts: { passed, failed },
  output: OUTPUT,
});

test("the failed files are those that are listed at the end, once each", () => {
  assertEquals(failedFiles(OUTPUT), ["./tests/a_test.ts", "./tests/b_test.ts"]);
  assertEquals(failedFiles("ok | 3 passed | 0 failed (1s)\n"), []);
  assertEquals(failedFiles("error: Type checking failed.\n"), []);
});

test("what fails again has failed", () => {
  assertEquals(afterRepeat(run(7, 3), run(1, 1), ["./a"]), run(7, 3));
});

test("what passes when it is run again is said to have done so", () => {
  const { name, counts } = afterRepeat(run(7, 3), run(5, 0), ["./tests/a_test.ts"]);
  assertEquals(counts, { passed: 10, failed: 0 });
  assertStringIncludes(name, "3 of them only when run again: ./tests/a_test.ts");
});
