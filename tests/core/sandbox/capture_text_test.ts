import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { exactJson, nestedText, reordered } from "../arbitrary_json.ts";
import { refusalCode } from "../refusal.ts";

const STATE = "codex/sandbox-state";
const ALIAS = "codex/sandbox-state-meta";

/** Texts that writing the parsed value back would change. */
const LOSSY: readonly string[] = [
  '{"n":9223372036854775807}',
  '{"n":9007199254740993}',
  '{"n":-18446744073709551616.0}',
  '{"n":1e400}',
  '{"n":-1e400}',
  '{"n":-0}',
  '{"n":1.0}',
  '{"n":1E2}',
  '{"n":0.1000000000000000055511151231257827}',
  "9223372036854775807",
  "1e400",
  "-0",
  '{"10":1,"2":1,"a":1}',
  '{"b":1,"1":2}',
  ' { "a" : 1 , "b" : [ ] } ',
  '\n{"a":\t1}\r\n',
  '{"\\u0061":"\\u0041"}',
  '{"a\\/b":"\\/"}',
  '{"__proto__":{"type":"disabled"}}',
  '{"\\u005f_proto__":1,"constructor":2}',
  '{"a":1,"a":1}',
  '{"a":1,"a":2}',
  '{"s":"\\ud800"}',
  '{"s":"\\uD83D\\uDE00"}',
  '{"s":"😀"}',
  '"\\u0000"',
];

test("captureAuthority: a source text is forwarded byte for byte, under either key and both", () => {
  for (const text of LOSSY) {
    const value: unknown = JSON.parse(text);
    assertStrictEquals(captureAuthority({ [STATE]: value }, { stateText: text }).stateText, text);
    assertStrictEquals(captureAuthority({ [ALIAS]: value }, { aliasText: text }).stateText, text);
    const both = captureAuthority({ [STATE]: value, [ALIAS]: JSON.parse(text) }, {
      stateText: text,
      aliasText: text,
    });
    assertStrictEquals(both.stateText, text);
  }
});

test("captureAuthority: any exact value in any layout is forwarded byte for byte", () => {
  fc.assert(fc.property(exactJson, fc.nat(), fc.constantFrom(0, 1, "\t"), (value, seed, indent) => {
    const stateText = JSON.stringify(value, null, indent);
    const aliasText = JSON.stringify(reordered(value, seed));
    const meta = { [STATE]: JSON.parse(stateText), [ALIAS]: JSON.parse(aliasText) };
    assertStrictEquals(captureAuthority(meta, { stateText, aliasText }).stateText, stateText);
    assertStrictEquals(captureAuthority(meta, { stateText }).stateText, stateText);
    assertStrictEquals(
      captureAuthority(meta, { aliasText }).stateText,
      JSON.stringify(JSON.parse(stateText)),
    );
  }));
});

test("captureAuthority: the text of another value is a conflict", () => {
  const cases: readonly [unknown, string][] = [
    [{ a: 1 }, '{"a":2}'],
    [{ a: 1 }, "{}"],
    [{}, '{"a":1}'],
    [{ a: 1 }, '{"a":1,"b":null}'],
    [null, "{}"],
    [{}, "null"],
    [[], "{}"],
    [0, "false"],
    [1, '"1"'],
    [{ a: undefined }, "{}"],
    [NaN, "null"],
    [{ a: Infinity }, '{"a":null}'],
    [JSON.parse("9007199254740993"), "9007199254740990"],
    [{ a: 1 }, ""],
    [{ a: 1 }, "{"],
    [{ a: 1 }, '{"a":1}}'],
    [{ a: 1 }, '{"a":1,}'],
    [{ a: 1 }, "undefined"],
    [{ a: 1 }, '\ufeff{"a":1}'],
    ["x", "x"],
    [1n, "1"],
    [Symbol.iterator, '"x"'],
  ];
  for (const [value, text] of cases) {
    assertStrictEquals(
      refusalCode(() => captureAuthority({ [STATE]: value }, { stateText: text })),
      "STATE_CONFLICT",
      text,
    );
    assertStrictEquals(
      refusalCode(() => captureAuthority({ [ALIAS]: value }, { aliasText: text })),
      "STATE_CONFLICT",
      text,
    );
    const meta = { [STATE]: {}, [ALIAS]: value };
    assertStrictEquals(
      refusalCode(() => captureAuthority(meta, { aliasText: text })),
      "STATE_CONFLICT",
      text,
    );
  }
});

test("captureAuthority: a text for a key that did not come is a conflict", () => {
  const captures: readonly (() => unknown)[] = [
    () => captureAuthority({ [ALIAS]: {} }, { stateText: "{}" }),
    () => captureAuthority({ [ALIAS]: {} }, { stateText: "{}", aliasText: "{}" }),
    () => captureAuthority({ [STATE]: {} }, { aliasText: "{}" }),
    () => captureAuthority({ [STATE]: {} }, { stateText: "{}", aliasText: "{}" }),
    () => captureAuthority({ [STATE]: undefined, [ALIAS]: {} }, { stateText: "{}" }),
  ];
  assertEquals(captures.map(refusalCode), Array(5).fill("STATE_CONFLICT"));
});

test("captureAuthority: two texts that only exact comparison tells apart are a conflict", () => {
  const pairs: readonly [string, string][] = [
    ["9007199254740993", "9007199254740992"],
    ['{"n":18446744073709551615}', '{"n":18446744073709551616}'],
    ["1e400", "1e401"],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"a":2}', '{"a":1,"a":2}'],
    ["0.1", "0.1000000000000000055511151231257827"],
  ];
  for (const [stateText, aliasText] of pairs) {
    const meta = { [STATE]: JSON.parse(stateText), [ALIAS]: JSON.parse(aliasText) };
    assertStrictEquals(
      refusalCode(() => captureAuthority(meta, { stateText, aliasText })),
      "STATE_CONFLICT",
      stateText,
    );
  }
});

test("captureAuthority: two texts of one value agree, and the state's is forwarded", () => {
  const pairs: readonly [string, string][] = [
    ["1", "1.0"],
    ["1.0", "1"],
    ["-0", "0"],
    ["9007199254740993", "9007199254740993.0"],
    ["1e400", "10e399"],
    ['{"a":1,"b":2}', ' {"b":2,"\\u0061":1}'],
  ];
  for (const [stateText, aliasText] of pairs) {
    const meta = { [STATE]: JSON.parse(stateText), [ALIAS]: JSON.parse(aliasText) };
    assertStrictEquals(captureAuthority(meta, { stateText, aliasText }).stateText, stateText);
  }
});

test("captureAuthority: with one text only, the other copy has to be exact", () => {
  const text = '{"n":9007199254740993}';
  const meta = { [STATE]: JSON.parse(text), [ALIAS]: JSON.parse(text) };
  assertStrictEquals(refusalCode(() => captureAuthority(meta, { stateText: text })), "STATE_INEXACT");
  assertStrictEquals(refusalCode(() => captureAuthority(meta, { aliasText: text })), "STATE_INEXACT");
});

test("captureAuthority: a text that UTF-8 cannot write is inexact, its escape is not", () => {
  const raw = '{"s":"\ud800"}';
  const value = JSON.parse(raw);
  assertStrictEquals(
    refusalCode(() => captureAuthority({ [STATE]: value }, { stateText: raw })),
    "STATE_INEXACT",
  );
  assertStrictEquals(captureAuthority({ [STATE]: value }).stateText, '{"s":"\\ud800"}');
  const escaped = '{"s":"\\uD800"}';
  assertStrictEquals(captureAuthority({ [STATE]: value }, { stateText: escaped }).stateText, escaped);
});

test("captureAuthority: states nested 10,000 and 100,000 deep", () => {
  for (const depth of [10_000, 100_000]) {
    for (const kind of ["array", "object"] as const) {
      const text = nestedText(depth, kind);
      const spaced = `${text} `;
      const meta = { [STATE]: JSON.parse(text), [ALIAS]: JSON.parse(text) };
      assert(captureAuthority(meta).stateText === text);
      assert(captureAuthority(meta, { stateText: text, aliasText: spaced }).stateText === text);
      assert(captureAuthority(meta, { stateText: spaced, aliasText: text }).stateText === spaced);
      const other = { [STATE]: JSON.parse(text), [ALIAS]: JSON.parse(nestedText(depth + 1, kind)) };
      assertStrictEquals(refusalCode(() => captureAuthority(other)), "STATE_CONFLICT");
    }
  }
});

test("captureAuthority: a state of more than 100 KB, every way", () => {
  const entries = Array.from(
    { length: 2500 },
    (_, i) => ({ path: `/srv/project/ä${i}/😀`, access: "read", n: i / 3 }),
  );
  const text = JSON.stringify({ permissionProfile: { entries } });
  assert(text.length > 100_000);
  const meta = { [STATE]: JSON.parse(text), [ALIAS]: JSON.parse(text) };
  assert(captureAuthority(meta).stateText === text);
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  assert(captureAuthority(meta, { stateText: pretty, aliasText: text }).stateText === pretty);
  const off = text.replace("ä2499", "ä2498");
  assertStrictEquals(
    refusalCode(() => captureAuthority({ ...meta, [ALIAS]: JSON.parse(off) })),
    "STATE_CONFLICT",
  );
});
