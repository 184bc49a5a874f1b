import { assertEquals } from "@std/assert";
import { test } from "node:test";
import {
  denoTestArgs,
  nodeTestFiles,
  ORDINARY_SUITES,
  REAL_SUITE,
  splitSuite,
} from "../../../scripts/suites/suites.ts";

const ROOT = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

async function inTree<T>(
  files: Readonly<Record<string, string>>,
  look: (root: string) => T,
): Promise<T> {
  const root = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, text);
    }
    return look(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function empty(...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [path, ""]));
}

test("Node gets the tests of core and of the adapters that run there", async () => {
  const files = empty(
    "tests/core/a_test.ts",
    "tests/core/b/c_test.ts",
    "tests/core/fixture.ts",
    "tests/adapters/node/d_test.ts",
    "tests/adapters/http/g_test.ts",
    "tests/adapters/deno/e_test.ts",
    "tests/real/f_test.ts",
  );
  assertEquals(await inTree(files, (root) => nodeTestFiles(root, "20")), [
    "tests/adapters/http/g_test.ts",
    "tests/adapters/node/d_test.ts",
    "tests/core/a_test.ts",
    "tests/core/b/c_test.ts",
  ]);
});

test("tests that need the test bed, however far away, run where it does", async () => {
  const files = {
    "tests/adapters/http/near_test.ts": 'import { bed } from "../../fixtures/enterprise/mod.ts";\n',
    "tests/adapters/http/far_test.ts": 'import { party } from "./parties.ts";\n',
    "tests/adapters/http/parties.ts": 'export { party } from "../../fixtures/enterprise/clients.ts";\n',
    "tests/adapters/http/type_test.ts": 'import type { Bed } from "../../fixtures/enterprise/mod.ts";\n',
    "tests/fixtures/enterprise/mod.ts": 'import "../../adapters/http/parties.ts";\n',
  };
  const named = (major: string) => inTree(files, (root) => nodeTestFiles(root, major));
  assertEquals(await named("20"), ["tests/adapters/http/type_test.ts"]);
  assertEquals((await named("22")).length, 3);
  assertEquals((await named("24")).length, 3);
});

test("core's own run has no permission flag", async () => {
  const suite = ORDINARY_SUITES.find(({ name }) => name.includes("without permission"));
  const args = await inTree(empty("tests/core/a_test.ts"), (root) => suite && denoTestArgs(root, suite));
  assertEquals(args, ["test", "--quiet", "--no-prompt", "tests/core"]);
});

test("the parts of a suite hold each of its tests once", () => {
  for (const suite of [...ORDINARY_SUITES, REAL_SUITE].filter(({ filesAtOnce }) => filesAtOnce)) {
    const { together, aside, alone } = splitSuite(ROOT, suite);
    const files = [...together, ...aside, ...alone].flat();
    const tests = suite.paths.flatMap((path) =>
      [...walk(`${ROOT}/${path}`)].map((file) => file.slice(ROOT.length + 1))
    );
    assertEquals([...files].sort(), tests.filter((file) => /[_.]test\.[cm]?[jt]sx?$/.test(file)).sort());
  }
});

test("a suite that one process is given whole stays as it is", () => {
  const suite = ORDINARY_SUITES.find(({ flags }) => flags.includes("--doc"))!;
  assertEquals(splitSuite(ROOT, suite), { together: [suite.paths], aside: [], alone: [] });
});

test("each test of the repository is in a suite", () => {
  const tests = [...walk(`${ROOT}/tests`)].map((file) => file.slice(ROOT.length + 1)).filter((file) =>
    /_test\.tsx?$/.test(file) && !file.startsWith("tests/fixtures/")
  );
  const paths = [...ORDINARY_SUITES, REAL_SUITE].flatMap((suite) => suite.paths);
  assertEquals(tests.filter((file) => !paths.some((path) => file.startsWith(`${path}/`))), []);
});

function* walk(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* walk(path);
    else yield path;
  }
}
