import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { denoTestArgs, nodeTestFiles, ORDINARY_SUITES } from "../../scripts/suites.ts";

async function inTree<T>(paths: readonly string[], look: (root: string) => T): Promise<T> {
  const root = await Deno.makeTempDir();
  try {
    for (const path of paths) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, "");
    }
    return look(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

test("Node gets the tests of core and of the adapters that run there", async () => {
  const paths = [
    "tests/core/a_test.ts",
    "tests/core/b/c_test.ts",
    "tests/core/fixture.ts",
    "tests/adapters/node/d_test.ts",
    "tests/adapters/deno/e_test.ts",
    "tests/real/f_test.ts",
  ];
  assertEquals(await inTree(paths, nodeTestFiles), [
    "tests/adapters/node/d_test.ts",
    "tests/core/a_test.ts",
    "tests/core/b/c_test.ts",
  ]);
});

test("core's own run has no permission flag", async () => {
  const suite = ORDINARY_SUITES.find(({ name }) => name.includes("without permission"));
  const args = await inTree(["tests/core/a_test.ts"], (root) => suite && denoTestArgs(root, suite));
  assertEquals(args, ["test", "--quiet", "--no-prompt", "tests/core"]);
});
