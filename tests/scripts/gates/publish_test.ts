import { assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { checkPublish } from "../../../scripts/gates/publish.ts";
import { findingsIn, GOOD_TREE, lines } from "./_seed.ts";

test("publish gate: a package passes", async () => {
  assertEquals(await findingsIn(checkPublish), []);
});

test("publish gate: a test in the package is found", async () => {
  const config = JSON.parse(GOOD_TREE["deno.json"] ?? "") as { publish: { include: string[] } };
  config.publish.include.push("tests", "scripts");
  assertEquals(lines(await findingsIn(checkPublish, { "deno.json": JSON.stringify(config) })).sort(), [
    "scripts/toolchain.json would be published",
    "tests/adapters/deno/process_id_test.ts would be published",
    "tests/core/errors_test.ts would be published",
    "tests/core/sandbox/double_test.ts would be published",
    "tests/scripts/exports.json would be published",
  ]);
});

test("publish gate: a package that the registry would refuse is found", async () => {
  const slow = (GOOD_TREE["adapters/deno/process_id.ts"] ?? "").replace("(): number", "()");
  const findings = await findingsIn(checkPublish, {
    "adapters/deno/process_id.ts": slow.replace("return Deno.pid", "return [Deno.pid].map(String)"),
  });
  assertEquals(findings.length, 1);
  assertStringIncludes(findings[0]?.what ?? "", "missing-explicit-return-type");
});
