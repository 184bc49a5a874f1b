import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { isJsonObject, ownProperty, pointerStep } from "../../../core/json/value.ts";
import { anyText, pointerOf } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";

test("isJsonObject: objects only, neither null nor arrays", () => {
  assert(isJsonObject({}));
  assert(isJsonObject(Object.create(null)));
  for (const other of [null, undefined, [], [{}], "x", 1, true, () => 1]) assert(!isJsonObject(other));
});

test("ownProperty: own members of objects, and nothing else", () => {
  assertStrictEquals(ownProperty({ a: 1 }, "a"), 1);
  assertStrictEquals(ownProperty({ a: null }, "a"), null);
  assertStrictEquals(ownProperty({ a: 1 }, "b"), undefined);
  assertStrictEquals(ownProperty(Object.create({ a: 1 }), "a"), undefined);
  assertStrictEquals(ownProperty({}, "toString"), undefined);
  assertStrictEquals(ownProperty([1], "length"), undefined);
  assertStrictEquals(ownProperty("text", "length"), undefined);
  assertStrictEquals(ownProperty(null, "a"), undefined);
  assertStrictEquals(ownProperty(undefined, "a"), undefined);
  assertStrictEquals(ownProperty(JSON.parse('{"__proto__":7}'), "__proto__"), 7);
  assertStrictEquals(polluted(Object.prototype, ["a", 1], () => ownProperty({}, "a")), undefined);
});

test("ownProperty: reads a getter once", () => {
  let reads = 0;
  const value = {
    get a() {
      return ++reads;
    },
  };
  assertStrictEquals(ownProperty(value, "a"), 1);
  assertStrictEquals(reads, 1);
});

test("pointerStep: RFC 6901's own examples", () => {
  const steps = ["foo", 0, "", "a/b", "c%d", "e^f", "g|h", "i\\j", 'k"l', " ", "m~n", "~1"].map(pointerStep);
  assertEquals(steps, [
    "/foo",
    "/0",
    "/",
    "/a~1b",
    "/c%d",
    "/e^f",
    "/g|h",
    "/i\\j",
    '/k"l',
    "/ ",
    "/m~0n",
    "/~01",
  ]);
});

test("pointerStep: escapes as the specification says, whatever the key", () => {
  fc.assert(fc.property(anyText, (key) => assertStrictEquals(pointerStep(key), pointerOf([key]))));
});
