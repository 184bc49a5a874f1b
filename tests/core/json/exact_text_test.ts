import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { JsonError } from "../../../core/errors.ts";
import { isExactText } from "../../../core/json/exact_text.ts";
import { exactJson, nestedText } from "../arbitrary_json.ts";
import { assertLinear } from "./growth.ts";
import { type PlainNode, readPlainly } from "./plain_reader.ts";
import { drawFrom, mutate, pick, spell } from "./spelling.ts";

test("numbers that keep their value are exact however they are written", () => {
  const exact = [
    "0",
    "1",
    "-1",
    "1.0",
    "1.50",
    "100e-2",
    "0.00001e5",
    "1E+2",
    "12300000e-5",
    "0e99999999999999999999",
    "0.000",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740992",
    "1e21",
    "1e22",
    "123456789012345680000",
    "0.1",
    "1e-7",
    "-1e-7",
    "5e-324",
    "1.7976931348623157e308",
    "17976931348623157e292",
    `1${"0".repeat(22)}`,
    `0.${"0".repeat(400)}1e401`,
    `1${"0".repeat(400)}e-400`,
    `1e${"0".repeat(400)}5`,
  ];
  for (const text of exact) assertEquals(isExactText(text), true, text);
});

test("numbers that would change are not exact", () => {
  const inexact = [
    "-0",
    "-0.0",
    "-0e5",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "9223372036854775808", // held exactly, and written as 9223372036854776000
    "18446744073709551615",
    "0.1000000000000000055511151231257827",
    "0.30000000000000001",
    "1e400",
    "-1e400",
    "1e-400",
    "-1e-400",
    "1e309",
    "4e-324",
    `1${"0".repeat(30)}1`,
    `1.${"0".repeat(30)}1`,
    "1e99999999999999999999",
    "1e-99999999999999999999",
  ];
  for (const text of inexact) {
    assertEquals(isExactText(text), false, text);
    assertEquals(isExactText(`{"a":[true,{"b" : ${text} }]}`), false, text);
  }
});

test("a key that comes twice in one object is not exact, also when it is written differently", () => {
  for (
    const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":1}',
      '{"":1,"":1}',
      '[{"x":{"__proto__":1,"b":2,"__proto__":1}}]',
      '{"a" : {"a":1}, "a" : 2}',
      '{"a":[{"b":[]},"b"],"\\u0061":0}',
    ]
  ) assertEquals(isExactText(text), false, text);
});

test("order, escapes, white space and awkward names are free", () => {
  for (
    const text of [
      '{"10":1,"2":2,"a":{"1":1,"0":0}}',
      '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
      ' { "a" : [ ] , "b" : "a" , "c" : [ "a" , "a" ] } ',
      '{"__proto__":{"__proto__":null},"constructor":1,"toJSON":2}',
      '"\\ud800"',
      '"\ud800"',
      '"-0 9007199254740993 {\\"a\\":1,\\"a\\":1}"',
      '{"-0":1,"9007199254740993":"\\u0000"}',
      "null",
    ]
  ) assertEquals(isExactText(text), true, text);
});

test("a malformed text is refused", () => {
  for (
    const [text, offset] of [["", 0], ["01", 1], ['{"a":1,"a":1', 12], ["[9007199254740993", 17], [
      "-0 x",
      3,
    ]] as const
  ) {
    const error = assertThrows(() => isExactText(text), JsonError);
    assertEquals([error.code, error.offset], ["JSON_MALFORMED", offset], text);
  }
});

/** The mathematical value of a number, by arithmetic on integers of any size. */
function ratioOf(token: string): readonly [bigint, bigint] {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/
    .exec(token)!;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = Number(exponent) - fraction.length;
  return scale < 0 ? [digits, 10n ** BigInt(-scale)] : [digits * 10n ** BigInt(scale), 1n];
}

function keepsItsValue(token: string): boolean {
  const held = Number(token);
  if (!Number.isFinite(held) || Object.is(held, -0)) return false;
  const [a, b] = ratioOf(token);
  const [c, d] = ratioOf(JSON.stringify(held));
  return a * d === b * c;
}

function isExactPlainly({ repeats, numbers }: PlainNode): boolean {
  return !repeats && numbers.every(keepsItsValue);
}

const digits = fc.string({ unit: fc.constantFrom(..."0123456789", ..."0000"), minLength: 1, maxLength: 24 });
const numberText = fc.tuple(
  fc.constantFrom("", "-"),
  digits.map((text) => text.replace(/^0+(?=\d)/, "")),
  fc.option(digits),
  fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.integer({ min: 0, max: 340 }))),
).map(([sign, whole, fraction, exponent]) =>
  `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : exponent.join("")}`
);

test("any number is exact where arithmetic on integers says so", () => {
  fc.assert(
    fc.property(numberText, (text) => assertEquals(isExactText(text), keepsItsValue(text))),
    { numRuns: 3000 },
  );
});

test("any spelling of a value that JavaScript holds exactly is exact", () => {
  fc.assert(fc.property(exactJson, fc.integer(), (value, seed) => {
    assertEquals(isExactText(spell(value, drawFrom(seed))), true);
  }));
});

test("changed texts are judged as a plain reader judges them", () => {
  const draw = drawFrom(7);
  const texts = [
    '{"a":1,"b":{"a":-0,"c":[1.0,9007199254740993,1e400]},"\\u0063":"a"}',
    '{"a":[{"a":1,"b":2},{"a":1,"b":2}],"1":0.5,"0":"\\"a\\":1"}',
    "[12,1.50,100e-2,-7,0.1,[],{}]",
  ];
  const seen = { exact: 0, inexact: 0 };
  for (let run = 0; run < 5000; run++) {
    const text = mutate(pick(texts, draw), draw);
    let node: PlainNode;
    try {
      node = readPlainly(text);
    } catch {
      assertThrows(() => isExactText(text), JsonError);
      continue;
    }
    const exact = isExactText(text);
    assertEquals(exact, isExactPlainly(node), text);
    seen[exact ? "exact" : "inexact"]++;
  }
  assertEquals(seen.exact > 50 && seen.inexact > 50, true, JSON.stringify(seen));
});

test("any depth will do", () => {
  for (const kind of ["array", "object"] as const) {
    assertEquals(isExactText(nestedText(100_000, kind)), true);
    assertEquals(isExactText(`[${nestedText(100_000, kind)},-0]`), false);
  }
});

test("ten times the text costs ten times the time, whatever it holds", () => {
  const shapes: Readonly<Record<string, (size: number) => string>> = {
    "a long number": (size) => `[1${"0".repeat(size)}1]`,
    "a long fraction": (size) => `[0.${"0".repeat(size)}1]`,
    "a long exponent": (size) => `[1e${"0".repeat(size)}1]`,
    "a long negative exponent": (size) => `[1e-${"1".repeat(size)}]`,
    "a long string": (size) => `["${"x".repeat(size)}"]`,
    "small objects": (size) => `[${'{"a":1.0},'.repeat(size / 10)}0]`,
    "white space": (size) => `{"a"${" ".repeat(size)}:1}`,
  };
  for (const [name, make] of Object.entries(shapes)) assertLinear(name, { make, run: isExactText });
});
