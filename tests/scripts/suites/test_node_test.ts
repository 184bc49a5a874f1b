import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { failedPart, failedScripts, testOnNode } from "../../../scripts/suites/test_node.ts";
import type { SuiteRun } from "../../../scripts/suites/suite_run.ts";

/** Runs tests of a small tree on the Node that is on `PATH`. */
async function runOn(files: Readonly<Record<string, string>>): Promise<SuiteRun | undefined> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${root}/deno.json`, "{}");
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, text.replaceAll("ROOT", JSON.stringify(root)));
    }
    return (await testOnNode(root, ["20"]))[0];
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const HEAD = 'import { test } from "node:test";\nimport process from "node:process";\n';
const BROKEN = 'test("bad", () => {\n  throw new Error("broken");\n});\n';

/** Fails until it has left a mark in the tree. */
const ONCE = `${HEAD}import { existsSync, writeFileSync } from "node:fs";
test("flaky", () => {
  const mark = ROOT + "/mark";
  if (existsSync(mark)) return;
  writeFileSync(mark, "");
  throw new Error("busy");
});
`;

test("tests are bundled, and told where the repository is", async () => {
  const body = `${HEAD}test("a", () => {
  if (process.env.CODEX_MCP_REPOSITORY !== ROOT || !process.version.startsWith("v20.")) throw new Error("no");
});\n`;
  assertEquals((await runOn({ "tests/core/a_test.ts": body }))?.counts, { passed: 1, failed: 0 });
});

test("a failed test is counted and shown", async () => {
  const run = await runOn({ "tests/core/a_test.ts": `${HEAD}test("good", () => {});\n${BROKEN}` });
  assertEquals([run?.name.split(" ").slice(0, 3), run?.counts], [
    ["tests", "on", "Node"],
    { passed: 1, failed: 1 },
  ]);
  assertStringIncludes(run?.why ?? "", "broken");
});

test("a file that failed once is run again on its Node, and the report says so", async () => {
  const run = await runOn({
    "tests/core/deep/a_test.ts": `${HEAD}test("good", () => {});\n`,
    "tests/core/deep/b_test.ts": ONCE,
    "tests/adapters/node/c_test.ts": `${HEAD}test("good", () => {});\n`,
  });
  assertEquals(run?.counts, { passed: 3, failed: 0 });
  assertStringIncludes(run?.name ?? "", "(1 of them only when run again: tests/core/deep/b_test.ts)");
  assertStringIncludes(run?.why ?? "", "busy");
});

test("a file that cannot be loaded is named as what failed", async () => {
  const run = await runOn({
    "tests/core/a_test.ts": `${HEAD}throw new Error("at load");\n`,
    "tests/core/b_test.ts": `${HEAD}test("good", () => {});\n`,
  });
  assertEquals([run?.counts, run?.failedFiles], [{ passed: 1, failed: 1 }, ["tests/core/a_test.ts"]]);
});

test("a test that cannot be bundled is a failure", async () => {
  const run = await runOn({ "tests/core/a_test.ts": 'import "./gone.ts";\n' });
  assertEquals(run?.counts, { passed: 0, failed: 1 });
  assertStringIncludes(run?.why ?? "", "gone.ts");
});

test("no test at all is a failure", async () => {
  assertEquals((await runOn({}))?.counts, { passed: 0, failed: 1 });
});

const TAP = `TAP version 13
# Subtest: good
ok 1 - good
  ---
  duration_ms: 1
  location: '/t/good_test.js:2:1'
  ...
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      location: '/t/a_test.js:4:37'
      failureType: 'testCodeFailure'
      error: 'broken'
      ...
    1..1
not ok 2 - outer
  ---
  location: '/t/a_test.js:4:1'
  error: '1 subtest failed'
  ...
# Subtest: /t/b_test.js
not ok 3 - /t/b_test.js
  ---
  location: '/t/b_test.js:1:1'
  exitCode: 1
  ...
# pass 1
# fail 2
`;

test("a report names the scripts whose tests failed", () => {
  assertEquals([...new Set(failedScripts(TAP))], ["/t/a_test.js", "/t/b_test.js"]);
  assertStringIncludes(failedPart(TAP), "broken");
  assertEquals(failedPart(TAP).includes("good"), false);
});
