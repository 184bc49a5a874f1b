import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { readToolchain } from "../../../scripts/gates/toolchain.ts";
import { Lanes } from "../../../scripts/suites/lanes.ts";
import type { SuiteRun } from "../../../scripts/suites/suite_run.ts";
import { fileReports, testBundleOnBun } from "../../../scripts/suites/test_bun.ts";
import { withTestBundle } from "../../../scripts/suites/test_bundle.ts";

const VERSION = readToolchain(new URL("../../..", import.meta.url).pathname).bun;

/** Runs tests of a small tree on Bun. */
async function runOn(files: Readonly<Record<string, string>>): Promise<SuiteRun | undefined> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${root}/deno.json`, "{}");
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, text.replaceAll("ROOT", JSON.stringify(root)));
    }
    const runs = await withTestBundle(root, Object.keys(files), {
      lanes: new Lanes(1),
      work: async (bundle) => [await testBundleOnBun(bundle, VERSION)],
    });
    return runs[0];
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const HEAD = 'import { test } from "node:test";\nimport process from "node:process";\n';
const GOOD = `${HEAD}test("good", () => {});\n`;

test("the tests of core run on Bun and are told where the repository is, others do not run", async () => {
  const body = `${HEAD}test("a", () => {
  if (process.env.CODEX_MCP_REPOSITORY !== ROOT || process.versions.bun !== "${VERSION}") throw new Error("no");
});\n`;
  const run = await runOn({
    "tests/core/a_test.ts": body,
    "tests/core/deep/b_test.ts": GOOD,
    "tests/adapters/c_test.ts": `${HEAD}test("bad", () => { throw new Error("no"); });\n`,
  });
  assertEquals([run?.counts, run?.why], [{ passed: 2, failed: 0 }, ""]);
});

test("a failed test is counted, shown, and its file named", async () => {
  const run = await runOn({
    "tests/core/a_test.ts": `${GOOD}test("bad", async (t) => {
  await t.test("inner", () => { throw new Error("broken"); });
});\n`,
    "tests/core/b_test.ts": GOOD,
    "tests/core/c_test.ts": `${HEAD}throw new Error("at load");\n`,
  });
  assertEquals(run?.counts.failed, 2);
  assertEquals(run?.failedFiles, ["tests/core/a_test.ts", "tests/core/c_test.ts"]);
  for (const word of ["broken", "at load"]) assertStringIncludes(run?.why ?? "", word);
});

test("a file in which nothing is tested is a failure, and so is no file at all", async () => {
  const idle = await runOn({ "tests/core/a_test.ts": GOOD, "tests/core/b_test.ts": "export const x = 1;\n" });
  assertEquals(idle?.counts, { passed: 0, failed: 1 });
  assertStringIncludes(idle?.why ?? "", "nothing was tested in tests/core/b_test.ts");
  assertEquals((await runOn({ "tests/adapters/c_test.ts": GOOD }))?.counts, { passed: 0, failed: 1 });
});

test("a report is told by its file", () => {
  const reports = fileReports("bun test\n\na_test.js:\n(pass) x\n\ndeep/b_test.js:\n(fail) y\n\n 1 pass\n");
  assertEquals([...reports.keys()], ["a_test.js", "deep/b_test.js"]);
  assertStringIncludes(reports.get("deep/b_test.js") ?? "", "(fail) y");
});
