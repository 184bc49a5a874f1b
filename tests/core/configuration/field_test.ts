import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  booleanField,
  choiceField,
  isVariableName,
  listField,
  tableField,
  textField,
  timeField,
} from "../../../core/configuration/field.ts";
import { foundIn, serverWith } from "./merged.ts";

test("textField: verbatim, or why not", () => {
  const server = serverWith({ a: " x ", empty: " ", number: 1, nul: "a\0b", half: "\ud800" });
  const fields = ["a", "missing", "empty", "number", "nul", "half"];
  assertEquals(fields.map((field) => textField(server, field)), [" x ", null, null, null, null, null]);
  assertEquals(foundIn(server), [
    "FIELD_EMPTY empty",
    "FIELD_TYPE number",
    "VALUE_MALFORMED nul",
    "VALUE_MALFORMED half",
  ]);
});

test("listField, tableField: one wrong item is named and makes the whole unusable", () => {
  const server = serverWith({
    list: ["a", "", "b"],
    badList: ["a", 1, "\0"],
    noList: "a",
    table: { A: "a", B: "" },
    badTable: { A: 1, B: "b", C: true },
    noTable: ["a"],
    date: new Date(0),
  });
  assertEquals(listField(server, "list"), ["a", "", "b"]);
  assertEquals(tableField(server, "table"), { A: "a", B: "" });
  assertEquals(["badList", "noList"].map((field) => listField(server, field)), [null, null]);
  assertEquals(["badTable", "noTable", "date"].map((field) => tableField(server, field)), [null, null, null]);
  assertEquals(foundIn(server), [
    "FIELD_TYPE badList.1",
    "VALUE_MALFORMED badList.2",
    "FIELD_TYPE noList",
    "FIELD_TYPE badTable.A",
    "FIELD_TYPE badTable.C",
    "FIELD_TYPE noTable",
    "FIELD_TYPE date",
  ]);
});

test("booleanField, choiceField: nothing is guessed", () => {
  const server = serverWith({ yes: true, word: "true", choice: "a", other: "c" });
  assertEquals([booleanField(server, "yes", false), booleanField(server, "none", true)], [true, true]);
  assertEquals(booleanField(server, "word", false), false);
  const choices = ["a", "b"] as const;
  assertEquals(["choice", "none", "other"].map((field) => choiceField(server, field, { choices })), [
    "a",
    null,
    null,
  ]);
  assertEquals(foundIn(server), ["FIELD_TYPE word", "VALUE_UNKNOWN other"]);
});

test("timeField: seconds with a fraction, whole milliseconds, integers of any kind", () => {
  const server = serverWith({ a: 1.5, b: 10n, c: 0.0001, d: 1e30, e: 2500 });
  const seconds = ["a", "b", "c", "d", "none"].map((field) => timeField(server, field, { unit: "seconds" }));
  assertEquals(seconds, [1500, 10_000, 1, 2_147_483_647, null]);
  assertEquals(timeField(server, "e", { unit: "milliseconds" }), 2500);
  assertEquals(foundIn(server), []);
});

test("timeField: what is no time is refused", () => {
  for (const value of [0, -1, -0.5, 0n, Infinity, -Infinity, NaN]) {
    const server = serverWith({ t: value });
    assertEquals(timeField(server, "t", { unit: "seconds" }), null);
    assertEquals(foundIn(server), ["VALUE_RANGE t"], String(value));
  }
  for (const [value, code] of [["3", "TYPE"], [true, "TYPE"], [2.5, "TYPE"], [0, "RANGE"], [-5n, "RANGE"]]) {
    const server = serverWith({ t: value });
    assertEquals(timeField(server, "t", { unit: "milliseconds" }), null);
    assertEquals(foundIn(server), [`${code === "TYPE" ? "FIELD_TYPE" : "VALUE_RANGE"} t`], String(value));
  }
});

test("isVariableName: what an environment can hold", () => {
  assertEquals(["PATH", "a b", "ä", "", "A=B", "A\0"].map(isVariableName), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
