import { test } from "node:test";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { fillReadme } from "../../scripts/readme.ts";

const ROOT = new URL("../../", import.meta.url);

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

test("the README shows the servers that the tests run", () => {
  const readme = read("README.md");
  assert(readme.includes("registerTool("));
  assertEquals(fillReadme(readme, read), readme, "run: deno run -A scripts/readme.ts");
});

test("a README that shows something else is noticed", () => {
  const readme = read("README.md");
  assertNotEquals(fillReadme(readme, () => "const other = 1;\n"), readme);
});
