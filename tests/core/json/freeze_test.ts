import { test } from "node:test";
import { assert, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { freezeJson } from "../../../core/json/freeze.ts";
import type { JsonValue } from "../../../core/json/value.ts";
import { exactJson, nestedText } from "../arbitrary_json.ts";

function isDeeplyFrozen(value: JsonValue): boolean {
  return Object.isFrozen(value) &&
    (typeof value !== "object" || value === null || Object.values(value).every(isDeeplyFrozen));
}

test("freezeJson: gives the same value back, frozen in every part", () => {
  fc.assert(fc.property(exactJson, (value) => {
    const before = JSON.stringify(value);
    assertStrictEquals(freezeJson(value), value);
    assert(isDeeplyFrozen(value));
    assertStrictEquals(JSON.stringify(value), before);
  }));
});

test("freezeJson: writing to a part throws", () => {
  const value = freezeJson(JSON.parse('{"a":[{"b":1}],"__proto__":{"c":2}}'));
  assertThrows(() => value.a.push(1), TypeError);
  assertThrows(() => value.a[0].b = 2, TypeError);
  assertThrows(() => delete value.a, TypeError);
  assertThrows(() => value["__proto__"].c = 3, TypeError);
});

test("freezeJson: a value nested 100,000 deep", () => {
  let value: JsonValue | undefined = freezeJson(JSON.parse(nestedText(100_000, "object")));
  let depth = 0;
  for (; typeof value === "object" && value !== null; depth++) {
    assert(Object.isFrozen(value));
    value = (value as Record<string, JsonValue>)["a"];
  }
  assertStrictEquals(depth, 100_000);
});
