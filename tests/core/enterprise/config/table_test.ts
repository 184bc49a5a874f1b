import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  booleanOf,
  checkFields,
  type Findings,
  requiredText,
  scopesOf,
  type Table,
  textOf,
  urlOf,
} from "../../../../core/enterprise/config/table.ts";
import { layer } from "./layers.ts";

function table(values: unknown): Table & { readonly findings: Findings } {
  return { layer: layer({ t: values }), path: ["t"], findings: { faults: [], warnings: [] } };
}

function faults({ findings }: Table): string[] {
  return findings.faults.map(({ code, field }) => `${code} ${field}`);
}

test("textOf, requiredText: verbatim, missing, empty or wrong", () => {
  const one = table({ a: " x ", b: "", c: 7 });
  assertEquals([textOf(one, "a"), textOf(one, "b"), textOf(one, "c"), textOf(one, "d")], [
    " x ",
    null,
    null,
    null,
  ]);
  assertEquals(faults(one), ["FIELD_EMPTY t.b", "FIELD_TYPE t.c"]);
  assertEquals(requiredText(one, "d"), null);
  assertEquals(faults(one).at(-1), "FIELD_MISSING t.d");
});

test("booleanOf, scopesOf, urlOf: wrong values are faults, never guesses", () => {
  const one = table({
    yes: true,
    word: "true",
    scopes: ["a", "a"],
    list: [1],
    url: "https://a.example",
    bad: "ftp://a",
  });
  assertEquals([booleanOf(one, "yes"), booleanOf(one, "word"), booleanOf(one, "none", true)], [
    true,
    false,
    true,
  ]);
  assertEquals([scopesOf(one, "scopes"), scopesOf(one, "list"), scopesOf(one, "none")], [["a"], null, null]);
  assertEquals([urlOf(one, { field: "url" }), urlOf(one, { field: "bad" })], ["https://a.example", null]);
  assertEquals(faults(one), ["FIELD_TYPE t.word", "FIELD_TYPE t.list", "URL_REFUSED t.bad"]);
});

test("checkFields: unknown fields are warned about, a table that is none is a fault", () => {
  const one = table({ a: 1, b: 2 });
  assertEquals(checkFields(one, ["a"]), true);
  assertEquals(one.findings.warnings.map(({ field }) => field), ["t.b"]);
  const other = table([1]);
  assertEquals(checkFields(other, []), false);
  assertEquals(faults(other), ["FIELD_TYPE t"]);
});
