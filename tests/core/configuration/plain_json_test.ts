import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { plainJson } from "../../../core/configuration/plain_json.ts";

test("plainJson: what JSON holds stays, what it does not becomes its text", () => {
  const value = { a: [1, "x", true, null], b: 2n ** 64n, c: new Date(0), d: Infinity, e: new Date(NaN) };
  assertEquals(plainJson(value), {
    a: [1, "x", true, null],
    b: "18446744073709551616",
    c: "1970-01-01T00:00:00.000Z",
    d: null,
    e: null,
  });
});

test("plainJson: awkward names stay members, and no depth is too much", () => {
  const copy = plainJson(JSON.parse('{"__proto__": {"x": 1}}'));
  assertEquals(Object.keys(copy as object), ["__proto__"]);
  let deep: unknown = 1;
  for (let n = 0; n < 50_000; n++) deep = [deep];
  assertEquals(JSON.stringify(plainJson(deep)).length, 2 * 32 + "null".length);
});
