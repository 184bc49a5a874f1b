import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { GENERATED, renderFile } from "../../../scripts/docs/generated.ts";
import { checkGenerated } from "../../../scripts/gates/generated.ts";
import { findingsIn, lines } from "./_seed.ts";

test("generated gate: files that are up to date pass, one that is not is found", async () => {
  const paths = Object.keys(GENERATED);
  const texts = await Promise.all(paths.map(renderFile));
  const files = Object.fromEntries(paths.map((path, at) => [path, texts[at] ?? ""]));
  assertEquals(await findingsIn(checkGenerated, files), []);
  for (const path of paths) {
    const changed = { ...files, [path]: `${files[path]}\n` };
    assertEquals(lines(await findingsIn(checkGenerated, changed)), [`${path} is not up to date`]);
  }
});
