import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { Lanes } from "../../../scripts/suites/lanes.ts";
import { type TestBundle, withTestBundle } from "../../../scripts/suites/test_bundle.ts";

test("each file has its script while the work goes on, and none afterwards", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${root}/deno.json`, "{}");
    await Deno.mkdir(`${root}/tests/core/deep`, { recursive: true });
    const files = ["tests/core/a_test.ts", "tests/core/deep/b_test.ts"];
    for (const file of files) await Deno.writeTextFile(`${root}/${file}`, "export const x: number = 1;\n");
    let seen: TestBundle | undefined;
    const runs = await withTestBundle(root, [...files, ...files], {
      lanes: new Lanes(1),
      work: async (bundle) => {
        seen = bundle;
        for (const script of bundle.scripts.values()) await Deno.stat(script);
        return [];
      },
    });
    assertEquals([runs, [...seen?.scripts.keys() ?? []]], [[], files]);
    assertEquals(
      await Deno.stat(seen?.folder ?? "").catch((error) => error instanceof Deno.errors.NotFound),
      true,
    );
    await Deno.writeTextFile(`${root}/${files[0]}`, 'import "./gone.ts";\n');
    const broken = await withTestBundle(root, files, {
      lanes: new Lanes(1),
      work: () => Promise.reject(new Error("there is nothing to work with")),
    });
    assertEquals(broken.map(({ counts }) => counts), [{ passed: 0, failed: 1 }]);
    assertStringIncludes(broken[0]?.why ?? "", "gone.ts");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
