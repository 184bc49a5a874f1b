import { test } from "node:test";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, fail } from "@std/assert";
import fc from "fast-check";
import { JsonError } from "../../../core/errors.ts";
import { equalJsonTexts, parseComparable } from "../../../core/json/comparable.ts";
import { equalJson } from "../../../core/json/equal.ts";
import { jsonChanges } from "../../../core/json/changes.ts";
import { exactJson, nestedText, reordered } from "../arbitrary_json.ts";
import { readExactly } from "./reference_parser.ts";

function codeOf(body: () => unknown): string {
  try {
    body();
  } catch (error) {
    assertInstanceOf(error, JsonError);
    return error.code;
  }
  fail("Expected an error, and there was none");
}

/** Texts of one value a row. */
const SAME: readonly (readonly string[])[] = [
  ["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0", "1e-0", "1.00000000000000000000", " 1 ", "0.01E+02"],
  ["0", "-0", "0.0", "-0.00", "0e5", "0E-400", "-0e99999999999999999999"],
  ["9007199254740993", "9007199254740993.0", "9.007199254740993e15", "90071992547409930e-1"],
  ["18446744073709551615", "1.8446744073709551615e19"],
  ["1e400", "10e399", "1E+400", "0.1e401"],
  ["-1e400", "-10e399"],
  ["1e21", "1e+21", "1000000000000000000000"],
  ["1e-400", "0.1e-399"],
  ["5e-324", "5.0e-324"],
  ["0.1", "0.10", "1e-1"],
  ["123", "1.23e2", "12300e-2"],
  ["1e99999999999999999999", "10e99999999999999999998"],
  ['"a"', '"\\u0061"', '"\\u0061" '],
  ['"/"', '"\\/"', '"\\u002f"', '"\\u002F"'],
  ['"😀"', '"\\ud83d\\ude00"'],
  ['"\\ud800"', '"\ud800"'],
  ['"\\u0000"', '"\\u0000"\n'],
  ["[]", "[ ]", "\t[\r\n]"],
  ["{}", "{ }"],
  ['{"a":1,"b":[2,3]}', '{ "b" : [ 2.0 , 3 ] , "a" : 1 }', '{"\\u0062":[2,30e-1],"\\u0061":1}'],
  ['{"2":1,"1":2}', '{"1":2,"2":1}', '{"\\u0031":2,"2":1.0}'],
  ['{"__proto__":1}', '{"\\u005f_proto__":1.0}'],
  ['{"":1}', '{"" : 1}'],
];

/** Pairs that lossy readers take for the same. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["9007199254740993", "9007199254740992"],
  ["9007199254740993", "9007199254740993.5"],
  ["18446744073709551615", "18446744073709551616"],
  ["1e400", "1e401"],
  ["1e400", "-1e400"],
  ["1e400", "null"],
  ["1e-400", "0"],
  ["1e-400", "1e-401"],
  ["0.1", "0.1000000000000000055511151231257827021181583404541015625"],
  ["0.30000000000000004", "0.300000000000000044"],
  ["1", "1.00000000000000000001"],
  ["1", '"1"'],
  ["9007199254740993", '"\\u00009007199254740993e0"'],
  ["1e400", '"\\u00001e400"'],
  ['"\\u0000"', '"\\u0000\\u0000"'],
  ['"\\u0000a"', '"a"'],
  ['{"__proto__":1}', "{}"],
  ['{"__proto__":1.0}', '{"a":1}'],
  ['{"\\u0000a":1}', '{"\\u0000\\u0000a":1}'],
  ["[1,2.0]", "[2,1]"],
  ["[[],1.0]", "[1,[]]"],
  ["true", "1"],
];

test("equalJsonTexts: the same value, however it is written", () => {
  for (const row of SAME) {
    for (const a of row) for (const b of row) assert(equalJsonTexts(a, b), `${a} and ${b}`);
  }
});

test("equalJsonTexts: rows of different values never meet", () => {
  const firsts = SAME.map(([first]) => first!);
  for (const a of firsts) for (const b of firsts) if (a !== b) assert(!equalJsonTexts(a, b), `${a} and ${b}`);
});

test("equalJsonTexts: different values that a lossy reader takes for the same", () => {
  for (const [a, b] of DIFFERENT) {
    assert(!equalJsonTexts(a, b), `${a} and ${b}`);
    assert(!equalJsonTexts(b, a), `${b} and ${a}`);
    assert(!equalJsonTexts(`{"x":[${a}]}`, `{"x":[${b}]}`), `${a} and ${b} inside`);
  }
});

test("equalJsonTexts: a key named twice is refused, however it is written", () => {
  const texts = [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '[{"x":{"__proto__":1,"__proto__":1}}]',
    '{"":1,"":1}',
  ];
  for (const text of texts) {
    assertStrictEquals(codeOf(() => equalJsonTexts(text, "0")), "JSON_DUPLICATE_KEY", text);
    assertStrictEquals(codeOf(() => equalJsonTexts("0", text)), "JSON_DUPLICATE_KEY", text);
    assertStrictEquals(codeOf(() => parseComparable(text)), "JSON_DUPLICATE_KEY", text);
  }
  assert(!equalJsonTexts('[{"a":1},{"a":1}]', '{"a":{"a":1}}'));
});

test("equalJsonTexts: a text that is not JSON is refused, and not quoted", () => {
  for (
    const text of ["", "{", "[1,]", "01", "+1", "NaN", "'a'", '{"a":1}x', '"\n"', "1e", "\ufeff1", "secret"]
  ) {
    assertStrictEquals(codeOf(() => equalJsonTexts(text, "0")), "JSON_MALFORMED", text);
    assertStrictEquals(codeOf(() => equalJsonTexts("0", text)), "JSON_MALFORMED", text);
  }
  try {
    parseComparable("secret");
  } catch (error) {
    assertInstanceOf(error, JsonError);
    assert(!error.message.includes("secret"));
    assertStrictEquals(error.cause, undefined);
  }
});

test("equalJsonTexts: identical texts are the same without being read", () => {
  assert(equalJsonTexts('{"a":1,"a":2}', '{"a":1,"a":2}'));
});

const spaces = fc.constantFrom("", "", " ", "\n", "\t \r\n");
const numberToken: fc.Arbitrary<string> = fc.tuple(
  fc.constantFrom("", "-"),
  fc.oneof(fc.nat(20), fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.constantFrom(9007199254740993n, 2n ** 64n)),
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: -30, max: 30 }),
  fc.constantFrom("plain", "e", "E+", "point"),
).map(([sign, digits, zeros, exponent, style]) => {
  const padded = digits.toString() === "0" ? "0" : `${digits}${"0".repeat(zeros)}`;
  if (style === "plain") return sign + padded;
  if (style === "point") return `${sign}0.${padded}e${exponent}`;
  return style === "E+" && exponent >= 0 ? `${sign}${padded}E+${exponent}` : `${sign}${padded}e${exponent}`;
});
const stringToken: fc.Arbitrary<string> = fc.tuple(
  fc.constantFrom("", "a", "ab", "__proto__", "\u0000", "\u0000" + "1e1", "10", "é", "😀", '"', "\\"),
  fc.boolean(),
).map(([text, escaped]) =>
  escaped
    ? `"${text.split("").map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
    : JSON.stringify(text)
);
const jsonText: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3 },
    numberToken,
    stringToken,
    fc.constantFrom("null", "true", "false"),
    fc.tuple(spaces, fc.array(tie("text"), { maxLength: 3 })).map(([s, items]) =>
      `[${s}${items.join(s + "," + s)}${s}]`
    ),
    fc.tuple(spaces, fc.array(fc.tuple(stringToken, tie("text")), { maxLength: 3 })).map(([s, members]) =>
      `{${s}${members.map(([key, member]) => `${key}${s}:${s}${member}`).join(s + "," + s)}}`
    ),
  ),
})).text;

test("equalJsonTexts: agrees with a reader that keeps numbers as fractions of bigints", () => {
  fc.assert(
    fc.property(jsonText, jsonText, (a, b) => {
      const [x, y] = [readExactly(a), readExactly(b)];
      if (a !== b && (x === null || y === null)) {
        assertStrictEquals(codeOf(() => equalJsonTexts(a, b)), "JSON_DUPLICATE_KEY");
      } else assertStrictEquals(equalJsonTexts(a, b), a === b || x === y);
    }),
    { numRuns: 2000 },
  );
});

test("equalJsonTexts: agrees with that reader on numbers alone, written twice", () => {
  const rewritten = numberToken.chain((token) =>
    fc.tuple(
      fc.constant(token),
      fc.oneof(numberToken, fc.constantFrom(`${token}e0`, token.replace(/e/i, "0e"))),
    )
  ).filter(([, other]) => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(other) && !/^-?0\d/.test(other));
  fc.assert(
    fc.property(rewritten, ([a, b]) => {
      fc.pre(!/^-?0\d/.test(a));
      assertStrictEquals(equalJsonTexts(a, b), readExactly(a) === readExactly(b), `${a} and ${b}`);
    }),
    { numRuns: 1000 },
  );
});

test("parseComparable: a value that JavaScript holds stays itself, short of a leading NUL", () => {
  fc.assert(fc.property(exactJson, fc.nat(), (value, seed) => {
    const plain = parseComparable(JSON.stringify(value));
    const spaced = parseComparable(JSON.stringify(reordered(value, seed), null, 2));
    assert(equalJson(plain, spaced));
    assertEquals([...jsonChanges(plain, spaced)], []);
    if (!/\\u0000/.test(JSON.stringify(value))) assert(equalJson(spaced, value));
  }));
});

test("parseComparable: texts nested 100,000 deep, read by either way", () => {
  for (const kind of ["array", "object"] as const) {
    const text = nestedText(100_000, kind);
    assert(equalJsonTexts(text, ` ${text}`));
    assert(!equalJsonTexts(text, ` ${nestedText(100_001, kind)}`));
  }
  const text = nestedText(100_000, "object");
  assert(equalJsonTexts(text, text.replace("1", "1.0")));
  assert(!equalJsonTexts(text.replace("1", "9007199254740993"), text.replace("1", "9007199254740992")));
});
