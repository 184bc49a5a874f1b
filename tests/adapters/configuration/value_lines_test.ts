import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { noted, scanValue } from "../../../adapters/configuration/value_lines.ts";
import { JSON_SYNTAX, TOML_SYNTAX } from "../../../adapters/configuration/value_tokens.ts";

function places(text: string, syntax = TOML_SYNTAX): string[] {
  const found: string[] = [];
  const note = (path: readonly string[], offset: number): void =>
    void found.push(`${path.join("/")}@${offset}`);
  const end = scanValue({ text, syntax, note }, { start: 0, path: [] });
  return [...found, `end@${end}`];
}

test("scanValue: members and elements of TOML", () => {
  assertEquals(places('{ a = 1, b.c = [ "x", { d = 2 } ] } rest'), [
    "a@2",
    "b@9",
    "b/c@9",
    "b/c/0@17",
    "b/c/1@22",
    "b/c/1/d@24",
    "end@35",
  ]);
  assertEquals(places("[ # one, two\n1,\n2,\n]"), ["0@13", "1@16", "end@20"]);
});

test("scanValue: members and elements of JSON", () => {
  assertEquals(places('{"a": {"b,c": ["]"]}, "d": null}', JSON_SYNTAX), [
    "a@1",
    "a/b,c@7",
    "a/b,c/0@15",
    "d@22",
    "end@32",
  ]);
});

test("scanValue: a scalar alone, and texts that are none", () => {
  assertEquals(places("'a' x"), ["end@3"]);
  for (const text of ["", "{", "[", "{ = }", "{ a }", "]", "{a=", "{a=,b=1}", "[,,]", '{"a', "{a.b.}"]) {
    places(text);
  }
  assertEquals(places("{a=,b=1}").includes("b@4"), true);
});

test("noted: every table on the way, to a bounded depth", () => {
  const found: string[] = [];
  const steps = Array.from({ length: 40 }, (_, n) => String(n));
  const path = noted(["x"], { steps, at: 7, note: (one) => void found.push(one.join(".")) });
  assertEquals([path.length, found.length, found[0]], [16, 15, "x.0"]);
});
