import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { exists } from "../../../scripts/gates/tree.ts";
import { Lanes } from "../../../scripts/suites/lanes.ts";
import { ALONE, ASIDE, runParts, splitFiles } from "../../../scripts/suites/suite_parts.ts";

const ROOT = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

test("a process is given no more files than it may have; what waits or runs alone is apart", () => {
  const [alone = ""] = ALONE;
  const [first = "", second = ""] = ASIDE;
  assertEquals(splitFiles(["a", second, "b", alone, "c", first], 2), {
    together: [["a", "b"], ["c"]],
    aside: [[first], [second]],
    alone: [[alone]],
  });
  assertEquals(splitFiles([], 2), { together: [], aside: [], alone: [] });
});

test("what runs apart is there, and in one way", () => {
  const paths = [...ALONE, ...ASIDE];
  assertEquals(paths.filter((path) => !exists(ROOT, path)), []);
  assertEquals(new Set(paths).size, paths.length);
});

test("every part is run once, what runs alone after the others", async () => {
  const parts = { together: [["a", "b"], ["c"]], aside: [["d"]], alone: [["e"]] };
  const begun: string[] = [];
  const work = (files: readonly string[]): Promise<string> => {
    const name = files.join();
    begun.push(name);
    return Promise.resolve(name.toUpperCase());
  };
  assertEquals(await runParts(parts, { lanes: new Lanes(1), work }), ["A,B", "C", "D", "E"]);
  assertEquals([begun.length, begun.at(-1)], [4, "e"]);
});
