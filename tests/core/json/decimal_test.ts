import { test } from "node:test";
import { assertEquals, assertNotEquals } from "@std/assert";
import { decimal } from "../../../core/json/decimal.ts";
import { assertLinear } from "./growth.ts";

test("decimal: one value has one text", () => {
  for (
    const same of [["1", "1.0", "10e-1", "0.1e1", "1E+0"], ["0", "-0", "0.0", "0e9"], [
      "1200",
      "12e2",
      "1.2e3",
    ]]
  ) {
    assertEquals(new Set(same.map(decimal)).size, 1, same.join());
  }
});

test("decimal: different values have different texts", () => {
  const values = [
    "1",
    "-1",
    "10",
    "0.1",
    "101",
    "1e400",
    "9007199254740993",
    "9007199254740992",
    "0",
    "Infinity",
  ];
  assertEquals(new Set(values.map(decimal)).size, values.length);
});

test("decimal: an exponent beyond any number of JavaScript counts", () => {
  assertNotEquals(decimal("1e99999999999999999999"), decimal("1e99999999999999999998"));
  assertEquals(decimal("1e99999999999999999999"), decimal("10e99999999999999999998"));
});

test("decimal: many zeros inside a number take time in proportion", () => {
  assertLinear("zeros", { make: (size) => `1${"0".repeat(size)}1`, run: decimal });
});
