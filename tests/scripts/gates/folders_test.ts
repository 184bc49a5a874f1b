import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { checkFolders } from "../../../scripts/gates/folders.ts";
import { findingsIn, lines, source } from "./_seed.ts";

const TYPE = "export type A = string;\n";
const using = (path: string): string => source(`import type { A } from "${path}";\nexport type B = A;\n`);

test("folders gate: a tidy tree passes, and so do arrows of one direction", async () => {
  assertEquals(await findingsIn(checkFolders), []);
  const files = { "core/one/a.ts": using("../two/b.ts"), "core/two/b.ts": source(TYPE) };
  assertEquals(await findingsIn(checkFolders, files), []);
});

test("folders gate: two folders that need each other, and three in a ring", async () => {
  const two = { "core/one/a.ts": using("../two/b.ts"), "core/two/b.ts": using("../one/c.ts") };
  assertEquals(lines(await findingsIn(checkFolders, two)), [
    "core/one/a.ts:7 core/one/ needs core/two/, which needs core/one/",
    "core/two/b.ts:7 core/two/ needs core/one/, which needs core/two/",
  ]);
  const ring = { ...two, "core/two/b.ts": using("../three/d.ts"), "core/three/d.ts": using("../one/c.ts") };
  assertEquals((await findingsIn(checkFolders, ring)).length, 3);
});

test("folders gate: a folder and the one in it are two, and what mod.ts re-exports does not count", async () => {
  const nested = { "core/one/a.ts": using("./in/b.ts"), "core/one/in/b.ts": using("../c.ts") };
  assertEquals((await findingsIn(checkFolders, nested)).length, 2);
  const exported = { "core/one/mod.ts": using("./in/b.ts"), "core/one/in/b.ts": using("../c.ts") };
  assertEquals(await findingsIn(checkFolders, exported), []);
});
