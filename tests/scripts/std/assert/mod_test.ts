import {
  assert,
  assertEquals,
  assertExists,
  assertInstanceOf,
  AssertionError,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "@std/assert";
import { ok, rejects, throws } from "node:assert/strict";
import { test } from "node:test";

// These run against whatever "@std/assert" is, so what is asserted here must hold for the real package too.

const broken = (error: unknown): boolean =>
  error instanceof AssertionError && error.name === "AssertionError";

class Point {
  readonly x = 1;
}

const cycle = (): unknown => {
  const made: { self?: unknown } = {};
  made.self = made;
  return made;
};

const EQUAL: readonly (readonly [string, unknown, unknown])[] = [
  ["primitives", 1, 1],
  ["NaN", NaN, NaN],
  ["zeros of both signs", 0, -0],
  ["nested objects in another order", { a: [1, { b: 2 }], c: 3 }, { c: 3, a: [1, { b: 2 }] }],
  ["bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  ["sets", new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])],
  ["maps", new Map([["a", { b: 1 }]]), new Map([["a", { b: 1 }]])],
  ["dates", new Date(5), new Date(5)],
  ["patterns", /a/g, /a/g],
  ["addresses", new URL("x:y"), new URL("x:y")],
  ["a null prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["cycles", cycle(), cycle()],
];
const UNEQUAL: readonly (readonly [string, unknown, unknown])[] = [
  ["primitives", 1, 2],
  ["types", 1, "1"],
  ["null and undefined", null, undefined],
  ["an absent and an undefined property", { a: 1 }, { a: 1, b: undefined }],
  ["two absent and undefined properties", { a: undefined }, { b: undefined }],
  ["lengths", [1], [1, 2]],
  ["order in arrays", [1, 2], [2, 1]],
  ["classes", new Point(), { x: 1 }],
  ["arrays and objects", [], {}],
  ["sets", new Set([1]), new Set([2])],
  ["maps", new Map([["a", 1]]), new Map([["a", 2]])],
  ["dates", new Date(5), new Date(6)],
  ["patterns", /a/g, /a/i],
  ["bytes", new Uint8Array([1]), new Uint8Array([2])],
];

for (const [name, a, b] of EQUAL) {
  test(`assertEquals: ${name} are equal`, () => {
    assertEquals(a, b);
    throws(() => assertNotEquals(a, b), broken);
  });
}
for (const [name, a, b] of UNEQUAL) {
  test(`assertEquals: ${name} differ`, () => {
    assertNotEquals(a, b);
    throws(() => assertEquals(a, b), broken);
  });
}

test("assertEquals: the message of the caller is shown", () => {
  throws(() => assertEquals(1, 2, "the count"), /the count/);
});

test("assertStrictEquals compares by identity", () => {
  const made = {};
  assertStrictEquals(made, made);
  assertStrictEquals(NaN, NaN);
  throws(() => assertStrictEquals({}, {}), broken);
  throws(() => assertStrictEquals(0, -0), broken);
});

test("assert, assertExists and fail", () => {
  assert(1);
  throws(() => assert(0, "zero"), /zero/);
  assertExists(0);
  for (const absent of [null, undefined]) throws(() => assertExists(absent), broken);
  throws(() => fail("here"), /here/);
});

test("assertStringIncludes and assertMatch", () => {
  assertStringIncludes("abc", "b");
  throws(() => assertStringIncludes("abc", "x"), broken);
  assertMatch("abc", /b/);
  throws(() => assertMatch("abc", /x/), broken);
});

test("assertInstanceOf looks at the class", () => {
  assertInstanceOf(new RangeError(), Error);
  for (const other of [null, undefined, 1, {}, RangeError]) {
    throws(() => assertInstanceOf(other, RangeError), broken);
  }
});

test("assertThrows returns the error, and looks at its class and message", () => {
  const error: RangeError = assertThrows(
    () => {
      throw new RangeError("too far");
    },
    RangeError,
    "far",
  );
  ok(error.message === "too far");
  ok(
    assertThrows(() => {
      throw "text";
    }) === "text",
  );
  throws(() => assertThrows(() => {}), broken);
  const thrower = (): never => {
    throw new RangeError("too far");
  };
  throws(() => assertThrows(thrower, TypeError), broken);
  throws(() => assertThrows(thrower, RangeError, "near"), broken);
  throws(() =>
    assertThrows(() => {
      throw "text";
    }, Error), broken);
});

test("assertRejects returns the error, and refuses a function that throws at once", async () => {
  const error: RangeError = await assertRejects(
    () => Promise.reject(new RangeError("too far")),
    RangeError,
    "far",
  );
  ok(error.message === "too far");
  await rejects(assertRejects(() => Promise.resolve()), broken);
  await rejects(assertRejects(() => Promise.reject(new RangeError()), TypeError), broken);
  await rejects(assertRejects(() => Promise.reject(new RangeError("a")), RangeError, "b"), broken);
  await rejects(
    assertRejects(() => {
      throw new RangeError();
    }, RangeError),
    broken,
  );
});
