import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { JsonError } from "../../../core/errors.ts";
import { cutElements, cutJson } from "../../../core/json/scan.ts";
import { exactJson, objectOf } from "../arbitrary_json.ts";
import { polluted } from "../polluted.ts";
import { drawFrom, spell } from "./spelling.ts";

/** The code and the place of the refusal of `body`. */
function refusalOf(body: () => unknown): readonly [string, number | undefined] {
  const error = assertThrows(body, JsonError);
  return [error.code, error.offset];
}

test("values of every kind are cut as they are written", () => {
  const written = [
    "null",
    "true",
    "-0",
    "1.0",
    "9007199254740993",
    "1e400",
    '"\\u0041\\/"',
    '"a\ud800"',
    "[ 1,\n2 ]",
    '{"b" : {},"a":{ }}',
    '{"1":1,"0":0}',
    '{"twice":1,"twice":2}',
  ];
  for (const value of written) {
    for (const text of [`{"a":${value}}`, `\n{ "x" : [{"a":0}] , "a" :\t${value}\r\n} `]) {
      assertEquals(cutJson(text, [["a"]]), [value], text);
    }
    assertEquals(cutJson(` ${value} `, [[]]), [value]);
  }
});

test("several paths are cut in one pass, in the order in which they were asked for", () => {
  const text = '{"method":"m","params":{"_meta":{"s":{"n":1},"t":{"n":1}},"x":{}},"id":7}';
  const paths = [["id"], ["params", "_meta", "t"], ["params", "_meta", "s"], ["method"], ["id"], ["none"]];
  assertEquals(cutJson(text, paths), ["7", '{"n":1}', '{"n":1}', '"m"', "7", undefined]);
});

test("a path and one that goes on from it are both cut", () => {
  const text = '{"a": {"b": {"c": 1}, "d": 2} }';
  assertEquals(cutJson(text, [["a", "b", "c"], ["a"], [], ["a", "b"]]), [
    "1",
    '{"b": {"c": 1}, "d": 2}',
    text,
    '{"c": 1}',
  ]);
});

test("a path that leads nowhere has no text", () => {
  for (
    const text of [
      "1",
      "null",
      '"a"',
      "[]",
      '[{"a":{"b":1}}]',
      "{}",
      '{"a":1}',
      '{"a":[{"b":1}]}',
      '{"a":{}}',
    ]
  ) {
    assertEquals(cutJson(text, [["a", "b"]]), [undefined], text);
  }
  assertEquals(cutJson('{"a":{"0":5},"b":[6]}', [["a", "0"], ["b", "0"]]), ["5", undefined]);
});

test("names are compared as they are meant", () => {
  const text =
    '{"p\\u0061rams":{"_m\\u0065ta":{"codex\\/sandbox-state":1,"codex\\u002Fsandbox-state-meta":2}}}';
  assertEquals(
    cutJson(text, [["params", "_meta", "codex/sandbox-state"], [
      "params",
      "_meta",
      "codex/sandbox-state-meta",
    ]]),
    ["1", "2"],
  );
  assertEquals(cutJson('{"\\ud83d\\ude00":1,"a\\"b":2,"":3}', [["😀"], ['a"b'], [""]]), ["1", "2", "3"]);
  assertEquals(cutJson('{"\\\\u0069d":1}', [["id"], ["\\u0069d"]]), [undefined, "1"]);
});

test("a member on a path that comes twice is refused at the second, however it is written", () => {
  const paths = [["a", "b"], ["c"]];
  const refused: readonly (readonly [string, number])[] = [
    ['{"a":1,"a":1}', 7],
    ['{"a":1,"\\u0061":1}', 7],
    ['{"\\u0061":{"b":1},"x":0,"a":{}}', 24],
    ['{"c":1,"a":{"b":1,"b":1}}', 18],
    ['{"c":1,"a":{"b":1,"\\u0062":1}}', 18],
    ['{"c":[],"a":0,"c":[]}', 14],
  ];
  for (const [text, offset] of refused) {
    assertEquals(refusalOf(() => cutJson(text, paths)), ["JSON_DUPLICATE_KEY", offset], text);
  }
});

test("a member that comes twice beside the paths is left alone", () => {
  const texts = [
    '{"x":1,"x":2,"a":{"y":1,"y":1,"b":3}}',
    '{"a":{"b":3},"x":{"a":1,"a":1}}',
    '{"x":[{"a":1,"a":2}],"a":{"b":3}}',
    '{"a":{"b":3,"c":1,"c":2}}',
  ];
  for (const text of texts) assertEquals(cutJson(text, [["a", "b"], ["c"]])[0], "3", text);
  assertEquals(cutJson('{"a":{"b":1,"b":2}}', [["a"]]), ['{"b":1,"b":2}']);
});

test("a value that begins like one that was cut is still read to its own end", () => {
  const paths = [["a"], ["b"], ["c"]];
  const cut = (text: string): unknown => cutJson(text, paths);
  assertEquals(cut('{"a":[1],"b":[1],"c":[1]}'), ["[1]", "[1]", "[1]"]);
  assertEquals(cut('{"a":[1],"b":[1,2],"c":[1 ]}'), ["[1]", "[1,2]", "[1 ]"]);
  assertEquals(cut('{"a":1,"b":12,"c":1e5}'), ["1", "12", "1e5"]);
  assertEquals(cut('{"a":{"x":"}"},"b":{"x":"}}"},"c":{}}'), ['{"x":"}"}', '{"x":"}}"}', "{}"]);
  for (
    const [text, offset] of [['{"a":[1],"b":[1]]}', 16], ['{"a":[1],"b":[1]1}', 16], [
      '{"a":[1],"b":[1',
      15,
    ]] as const
  ) {
    assertEquals(refusalOf(() => cut(text)), ["JSON_MALFORMED", offset], text);
  }
});

test("a text is refused for a flaw anywhere, also behind everything that was asked for", () => {
  for (
    const [text, offset] of [
      ['{"a":1,"b":01}', 12],
      ['{"a":1} x', 8],
      ['{"a":1,}', 7],
      ['{"a":1', 6],
      ['{"a":{"b":1]}', 11],
      ['{"a" 1}', 5],
      ["{a:1}", 1],
      ["", 0],
    ] as const
  ) {
    assertEquals(refusalOf(() => cutJson(text, [["a", "b"], ["a"]])), ["JSON_MALFORMED", offset], text);
    assertEquals(refusalOf(() => cutJson(text, [])), ["JSON_MALFORMED", offset], text);
  }
});

test("names that objects inherit are names like any other", () => {
  const paths = [["__proto__"], ["constructor", "toString"], ["hasOwnProperty"]];
  assertEquals(cutJson("{}", paths), [undefined, undefined, undefined]);
  assertEquals(cutJson('{"constructor":{"toString":1},"__proto__":[2]}', paths), ["[2]", "1", undefined]);
  const cut = polluted(Object.prototype, ["id", 1], () => cutJson('{"a":1}', [["id"], ["a"]]));
  assertEquals(cut, [undefined, "1"]);
});

test("neither the paths nor the result share anything between calls", () => {
  const paths = [["a"], ["b"]];
  const first = cutJson('{"a":1,"b":2}', paths);
  assertEquals(cutJson('{"b":3}', paths), [undefined, "3"]);
  assertEquals(first, ["1", "2"]);
  assertEquals(paths, [["a"], ["b"]]);
});

test("elements of an array are cut as they are written", () => {
  assertEquals(cutElements("[]"), []);
  assertEquals(cutElements(" [ ] "), []);
  assertEquals(cutElements(' [1.0 ,\n{"a": [2]},"]",[ ]] '), ["1.0", '{"a": [2]}', '"]"', "[ ]"]);
});

test("what is no array has no elements, and an array with a flaw is refused", () => {
  for (const text of ["", "{}", "1", '"[]"', " {", "x"]) assertEquals(cutElements(text), undefined, text);
  const flaws: readonly (readonly [string, number])[] = [
    ["[", 1],
    ["[1", 2],
    ["[1,", 3],
    ["[1,]", 3],
    ["[1 2]", 3],
    ["[1}", 2],
    ["[] []", 3],
    ["[1]]", 3],
    ["[[1]", 4],
    ["[01]", 2],
  ];
  for (const [text, offset] of flaws) {
    assertEquals(refusalOf(() => cutElements(text)), ["JSON_MALFORMED", offset], text);
  }
});

test("any spelling of any members gives back the very texts", () => {
  const members = fc.uniqueArray(fc.tuple(fc.string(), exactJson), {
    selector: ([key]) => key,
    maxLength: 6,
  });
  fc.assert(fc.property(members, fc.integer(), (entries, seed) => {
    const draw = drawFrom(seed);
    const texts = entries.map(([, value]) => spell(value, draw));
    const object = `{${entries.map(([key], i) => `${spell(key, draw)}: ${texts[i]}`).join(" ,")}}`;
    assertEquals(cutJson(object, entries.map(([key]) => [key])), texts);
    assertEquals(cutJson(`{"x":1,"o":${object}}`, entries.map(([key]) => ["o", key])), texts);
    assertEquals(cutElements(`[${texts.join(" , ")}]`), texts);
  }));
});

test("the texts cut from what JSON.stringify writes are what it writes for the members", () => {
  fc.assert(fc.property(exactJson, exactJson, (a, b) => {
    const text = JSON.stringify(objectOf([["a", a], ["__proto__", b], ["c", a]]));
    const [first, second, third] = cutJson(text, [["a"], ["__proto__"], ["c"]]);
    assertEquals([first, second, third], [JSON.stringify(a), JSON.stringify(b), JSON.stringify(a)]);
  }));
});
