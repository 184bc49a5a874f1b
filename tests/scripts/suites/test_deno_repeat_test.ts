import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { failedFiles, fileSeconds, testOnDeno } from "../../../scripts/suites/test_deno.ts";

const OUTPUT = `running 2 tests from ./tests/a_test.ts
one ... FAILED (1ms)
more ...
  a step ... FAILED (1ms)
more ... FAILED (due to 1 failed step) (4ms)
running 1 test from ./tests/b_test.ts
two ... FAILED (9ms)
running 1 test from ./tests/c_test.ts
three ... ok (9ms)
Uncaught error from ./tests/d_test.ts FAILED

 ERRORS 

one => ./tests/shared.ts:5:1
error: AssertionError

./tests/d_test.ts (uncaught error)
error: Error: at load

 FAILURES 

one => ./tests/shared.ts:5:1
more ... a step => ./tests/a_test.ts:9:3
two => ./tests/b_test.ts:1:1
./tests/d_test.ts (uncaught error)

FAILED | 1 passed (1 step) | 4 failed (1s)
`;

test("the files that failed are those that were run, whoever registered their tests", () => {
  assertEquals(failedFiles(OUTPUT), ["tests/a_test.ts", "tests/b_test.ts", "tests/d_test.ts"]);
  assertEquals(failedFiles("ok | 3 passed | 0 failed (1s)\n"), []);
  assertEquals(failedFiles("error: Type checking failed.\n"), []);
});

test("a file took as long as its tests, without their steps", () => {
  const times = `running 2 tests from ./tests/a_test.ts
one ... ok (3ms)
more ...
  a step ... ok (1s)
more ... FAILED (due to 1 failed step) (1m2s)
running 1 test from ./tests/b_test.ts
two ...
------- output -------
three ... ok
----- output end -----
two ... ok (1h1s)
none ... ignored (0ms)
running 2 tests from ./tests/c_test.ts
slow ...'slow' has been running for over (1m0s)
'slow' has been running for over (2m0s)
 ok (2m21s)
slow and bad ...'slow and bad' has been running for over (1m0s)
 FAILED (1m1s)
`;
  assertEquals([...fileSeconds(times)], [
    ["tests/a_test.ts", 62.003],
    ["tests/b_test.ts", 3601],
    ["tests/c_test.ts", 202],
  ]);
  assertEquals(failedFiles(times), ["tests/a_test.ts", "tests/c_test.ts"]);
});

/** A test that fails until it has left a mark in the folder, and one whose failures are in another file. */
const ONCE = `import { test } from "node:test";
import { existsSync, writeFileSync } from "node:fs";
import { once } from "./once.ts";
test("good", () => {});
test("flaky", once);
`;
const SHARED = `import { existsSync, writeFileSync } from "node:fs";
export function once() {
  const mark = new URL("./mark", import.meta.url);
  if (existsSync(mark)) return;
  writeFileSync(mark, "");
  throw new Error("busy");
}
`;

async function inTree(
  files: Readonly<Record<string, string>>,
  look: (root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/tests`);
    for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(`${root}/${path}`, text);
    await look(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const SUITE = { name: "suite", paths: ["tests"], flags: ["-A"], filesAtOnce: 1 };
/** What these texts do is all that counts. */
const UNCHECKED = { extra: ["--no-check"] };

test("a file that failed once is run again, and the others are not", async () => {
  const files = {
    "deno.json": "{}",
    "tests/once.ts": SHARED,
    "tests/a_test.ts": ONCE,
    "tests/b_test.ts": 'import { test } from "node:test";\ntest("other", () => {});\n',
  };
  await inTree(files, async (root) => {
    const { name, counts, why } = await testOnDeno(root, SUITE, UNCHECKED);
    assertEquals([name, counts], [
      "suite (1 of them only when run again: tests/a_test.ts)",
      { passed: 3, failed: 0 },
    ]);
    assertStringIncludes(why, "busy");
  });
});

test("what is broken has failed, in the process that ran it", async () => {
  const files = {
    "deno.json": "{}",
    "tests/a_test.ts":
      'import { test } from "node:test";\ntest("bad", () => {\n  throw new Error("broken");\n});\n',
    "tests/b_test.ts": 'import { test } from "node:test";\ntest("other", () => {});\n',
  };
  await inTree(files, async (root) => {
    const { name, counts, why } = await testOnDeno(root, SUITE, UNCHECKED);
    assertEquals([name, counts], ["suite", { passed: 1, failed: 1 }]);
    assertStringIncludes(why, "broken");
  });
});

test("a suite without a test is a failure", async () => {
  await inTree({ "deno.json": "{}", "tests/a.ts": "" }, async (root) => {
    assertEquals((await testOnDeno(root, SUITE, UNCHECKED)).counts, { passed: 0, failed: 1 });
    assertEquals((await testOnDeno(root, { ...SUITE, paths: ["gone"] })).counts, { passed: 0, failed: 1 });
  });
});
