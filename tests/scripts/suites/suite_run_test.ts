import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  failedRun,
  joinRuns,
  repeatFailed,
  reportOf,
  slowestFiles,
  type SuiteRun,
} from "../../../scripts/suites/suite_run.ts";

function run(passed: number, failed: number, files: readonly string[] = []): SuiteRun {
  const why = failed === 0 ? "" : "it broke";
  return { name: "suite", counts: { passed, failed }, seconds: 2, why, failedFiles: files };
}

/** What `first` comes to, and which files were run again, when those end as `second` does. */
async function repeat(
  first: SuiteRun,
  second: SuiteRun,
): Promise<{ readonly run: SuiteRun; readonly asked: readonly (readonly string[])[] }> {
  const asked: (readonly string[])[] = [];
  const result = await repeatFailed(first, (files) => {
    asked.push(files);
    return Promise.resolve(second);
  });
  return { run: result, asked };
}

test("what fails again has failed", async () => {
  const { run: { name, counts }, asked } = await repeat(run(7, 3, ["a"]), run(1, 1, ["a"]));
  assertEquals([name, counts, asked], ["suite", { passed: 7, failed: 3 }, [["a"]]]);
});

test("what passes when it is run again is said to have done so, and how it failed", async () => {
  const { run: { name, counts, why, seconds } } = await repeat(run(7, 3, ["a", "b"]), run(5, 0));
  assertEquals([counts, why, seconds], [{ passed: 10, failed: 0 }, "it broke", 4]);
  assertStringIncludes(name, "3 of them only when run again: a, b");
});

test("nothing is run again when nothing or much failed, or something that belongs to no file", async () => {
  for (const first of [run(7, 0), run(7, 4, ["a", "b", "c", "d"]), run(7, 1)]) {
    assertEquals(await repeat(first, run(1, 0)), { run: first, asked: [] });
  }
});

test("the parts of a suite are summed up, and their failures told", () => {
  const joined = joinRuns("whole", [run(1, 0), run(2, 1, ["a"]), run(3, 2, ["b", "a"])]);
  assertEquals([joined.name, joined.counts, joined.seconds], ["whole", { passed: 6, failed: 3 }, 6]);
  assertEquals(joined.failedFiles, ["a", "b"]);
  assertEquals(joined.why, "it broke\nit broke");
});

test("one part that failed without a file lets nothing be run again", () => {
  assertEquals(joinRuns("whole", [run(2, 1, ["a"]), run(0, 1)]).failedFiles, []);
  assertEquals(joinRuns("whole", [run(2, 1, ["a"]), failedRun("b", "it is not there")]).failedFiles, []);
});

test("a report has one line for what passed, and below it what did not, were it only once", async () => {
  assertEquals(reportOf(run(3, 0)), "ok     suite: 3 passed, 0 failed, 2 s");
  assertEquals(reportOf(run(3, 1)), "failed suite: 3 passed, 1 failed, 2 s\n  it broke");
  const { run: repeated } = await repeat(run(7, 1, ["a"]), run(1, 0));
  assertEquals(
    reportOf(repeated),
    "ok     suite (1 of them only when run again: a): 8 passed, 0 failed, 4 s\n  it broke",
  );
});

test("the slowest files are told, whatever part of whatever suite they were in", () => {
  const timed = (seconds: Readonly<Record<string, number>>): SuiteRun => ({
    ...run(1, 0),
    fileSeconds: new Map(Object.entries(seconds)),
  });
  const joined = joinRuns("whole", [timed({ a: 1, b: 12.34 }), timed({ c: 5 }), run(1, 0)]);
  assertEquals(slowestFiles([joined, timed({ d: 7 }), failedRun("e", "no")], 3).split("\n"), [
    "    12.3 s  b",
    "     7.0 s  d",
    "     5.0 s  c",
  ]);
});
