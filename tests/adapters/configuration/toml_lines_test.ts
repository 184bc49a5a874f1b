import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { scanToml } from "../../../adapters/configuration/toml_lines.ts";

function scan(text: string): { own: string[]; implied: string[] } {
  const own: string[] = [];
  const implied: string[] = [];
  const place = (path: readonly string[], offset: number): string =>
    `${path.join("/")}@${text.slice(0, offset).split("\n").length}`;
  scanToml(text, {
    note: (path, offset) => void own.push(place(path, offset)),
    noteImplied: (path, offset) => void implied.push(place(path, offset)),
  });
  return { own, implied };
}

test("scanToml: tables, keys and dotted keys", () => {
  assertEquals(scan('a = 1\n[b."c d"]\ne.f = { g = 2 }\n\n[b]\nh = """\n[no]\nx = 1\n"""\ni = 3\n'), {
    own: ["a@1", "b/c d@2", "b/c d/e/f@3", "b/c d/e/f/g@3", "b@5", "b/h@6", "b/i@10"],
    implied: ["b@2", "b/c d/e@3"],
  });
});

test("scanToml: arrays of tables, and headers below them", () => {
  assertEquals(scan("[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 3\n[[a.c]]\n").own, [
    "a@1",
    "a/0@1",
    "a/0/x@2",
    "a/1@3",
    "a/1/x@4",
    "a/1/b@5",
    "a/1/b/y@6",
    "a/1/c@7",
    "a/1/c/0@7",
  ]);
});

test("scanToml: an array over several lines, and what is no TOML", () => {
  assertEquals(scan("a = [\n  1, # [x]\n  2,\n]\nb = 2").own, ["a@1", "a/0@2", "a/1@3", "b@5"]);
  for (const text of ["[", "[[", "[a", "= 1", "a", "a =", "a = \n[b]", "\0", "[]", "[[]]"]) scan(text);
  assertEquals(scan("!!\nb = 1").own, ["b@2"]);
});
