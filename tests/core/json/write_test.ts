import { test } from "node:test";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { JsonValue } from "../../../core/json/value.ts";
import { writeJson } from "../../../core/json/write.ts";
import { exactJson, nestedText } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";

const evil = (): string => "evil";

test("writeJson: what the built-in writer writes", () => {
  fc.assert(fc.property(exactJson, (value) => assertStrictEquals(writeJson(value), JSON.stringify(value))));
});

test("writeJson: the same with a toJSON on a prototype, which is not called", () => {
  fc.assert(fc.property(exactJson, (value) => {
    const expected = JSON.stringify(value);
    const written = [Object.prototype, Array.prototype].map((prototype) =>
      polluted(prototype, ["toJSON", evil], () => writeJson(value))
    );
    assertEquals(written, [expected, expected]);
  }));
});

test("writeJson: the same with an enumerable member on a prototype", () => {
  const written = polluted(
    Object.prototype,
    ["evil", 1],
    () => polluted(Object.prototype, ["toJSON", evil], () => writeJson({ a: [{ b: 1 }] })),
  );
  assertStrictEquals(written, '{"a":[{"b":1}]}');
});

test("writeJson: lone surrogates are escaped, by either writer", () => {
  const value = { "\udc00": "a\ud800b", "😀": "😀" };
  const expected = '{"\\udc00":"a\\ud800b","😀":"😀"}';
  assertStrictEquals(writeJson(value), expected);
  assertStrictEquals(polluted(Object.prototype, ["toJSON", evil], () => writeJson(value)), expected);
});

test("writeJson: values nested 10,000 and 100,000 deep come back letter for letter", () => {
  for (const depth of [10_000, 100_000]) {
    for (const kind of ["array", "object"] as const) {
      const text = nestedText(depth, kind);
      const written = writeJson(JSON.parse(text));
      assertStrictEquals(written === text, true, `${depth} ${kind}`);
    }
  }
});

test("writeJson: a deep value with several members at each level", () => {
  let text = "1";
  for (let i = 0; i < 20_000; i++) text = i % 2 ? `{"b":"x","a":${text},"0c":null}` : `[true,${text},2.5]`;
  assertStrictEquals(writeJson(JSON.parse(text)) === text, true);
});

test("writeJson: one value at several places is not a circle", () => {
  const shared = { s: 1 };
  const written = polluted(Object.prototype, ["toJSON", evil], () => writeJson([shared, { shared }, shared]));
  assertStrictEquals(written, '[{"s":1},{"shared":{"s":1}},{"s":1}]');
});

test("writeJson: a value that contains itself and a bigint make it throw", () => {
  const circle: Record<string, unknown> = { a: [] };
  (circle["a"] as unknown[]).push(circle);
  const big = { a: 1n };
  for (const value of [circle, big] as unknown as JsonValue[]) {
    assertThrows(() => writeJson(value), TypeError);
    let thrown: unknown;
    polluted(Object.prototype, ["toJSON", evil], () => {
      try {
        writeJson(value);
      } catch (error) {
        thrown = error;
      }
    });
    assertStrictEquals(thrown instanceof TypeError, true);
  }
});

test("writeJson: a circle below many levels ends too", () => {
  const inner: unknown[] = [];
  let value: unknown = inner;
  for (let i = 0; i < 50_000; i++) value = [value];
  inner.push(value);
  assertThrows(() => writeJson(value as JsonValue), TypeError);
});
