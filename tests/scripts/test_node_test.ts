import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { failedPart, testOnNode } from "../../scripts/test_node.ts";

/** Runs tests of a small tree on the Node that is on `PATH`. */
async function runOn(
  body: string,
): Promise<{ readonly passed: number; readonly failed: number; readonly why: string }> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/tests/core`, { recursive: true });
    await Deno.writeTextFile(`${root}/deno.json`, "{}");
    await Deno.writeTextFile(`${root}/tests/core/a_test.ts`, body.replaceAll("ROOT", JSON.stringify(root)));
    const [run] = await testOnNode(root, ["20"]);
    return {
      passed: run?.counts.passed ?? 0,
      failed: run?.counts.failed ?? 0,
      why: failedPart(run?.output ?? ""),
    };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const HEAD = 'import { test } from "node:test";\nimport process from "node:process";\n';

test("tests are bundled, and told where the repository is", async () => {
  const body = `${HEAD}test("a", () => {
  if (process.env.CODEX_MCP_REPOSITORY !== ROOT || !process.version.startsWith("v20.")) throw new Error("no");
});\n`;
  assertEquals(await runOn(body).then(({ passed, failed }) => [passed, failed]), [1, 0]);
});

test("a failed test is counted and shown", async () => {
  const result = await runOn(
    `${HEAD}test("good", () => {});\ntest("bad", () => {\n  throw new Error("broken");\n});\n`,
  );
  assertEquals([result.passed, result.failed], [1, 1]);
  assertStringIncludes(result.why, "broken");
});

test("a test that cannot be bundled is a failure", async () => {
  const result = await runOn('import "./gone.ts";\n');
  assertEquals([result.passed, result.failed], [0, 1]);
  assertStringIncludes(result.why, "gone.ts");
});

test("no test at all is a failure", async () => {
  const root = await Deno.makeTempDir();
  try {
    assertEquals((await testOnNode(root, ["20"])).map(({ counts }) => counts), [{ passed: 0, failed: 1 }]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
