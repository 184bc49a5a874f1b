import { test } from "node:test";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { decimal } from "../../../core/json/decimal.ts";

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
  const time = (zeros: number): number => {
    const token = `1${"0".repeat(zeros)}1`;
    const start = performance.now();
    for (let i = 0; i < 20; i++) decimal(token);
    return performance.now() - start;
  };
  time(10_000);
  assert(
    time(200_000) < 60 * Math.max(time(20_000), 1),
    "ten times the length took over sixty times as long",
  );
});
