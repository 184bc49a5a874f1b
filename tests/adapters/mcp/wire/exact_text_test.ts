import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { ExactTexts } from "../../../../adapters/mcp/wire/exact_text.ts";

/** What goes out when `text` stands for a state. */
function send(text: string, rest: object = {}): string {
  const texts = new ExactTexts();
  return texts.splice(JSON.stringify({ state: texts.placeholder(text), ...rest }));
}

test("a text goes out character for character", () => {
  for (
    const text of [
      '{"n":9007199254740993,"e":1e400,"z":-0}',
      '{ "b" : 1 , "a" : 2, "1":0 }',
      '{"__proto__":{"x":1},"a":1,"a":2}',
      '"\\u00e9\\/"',
      "null",
      '{"text":"\\n\\r line ends in strings stay"}',
    ]
  ) {
    assertEquals(send(text), `{"state":${text}}`);
  }
});

test("patterns of a replacement in a text are text", () => {
  for (const pattern of ["$&", "$$", "$1", "$`", "$'", "$<x>", "$"]) {
    const text = JSON.stringify({ [pattern]: pattern });
    assertEquals(send(text), `{"state":${text}}`);
  }
});

test("line ends between tokens become spaces, and ends are trimmed, so that a message is one line", () => {
  assertEquals(send('\r\n{\r\n  "a": [\n1,\r2\n]}\n'), '{"state":{    "a": [ 1, 2 ]}}');
  const text = '{\n "a\\nb": "c\\r\\nd" }';
  assertEquals(JSON.parse(send(text)), { state: { "a\nb": "c\r\nd" } });
});

test("line separators that JSON allows in a string stay", () => {
  const text = '{"a":"\u2028\u2029\u0085"}';
  assertEquals(send(text), `{"state":${text}}`);
});

test("what is not JSON is refused, and no placeholder is made", () => {
  const texts = new ExactTexts();
  for (const text of ["", "{", "{}{}", "undefined", "NaN", "'x'", "\uFEFF{}", '{"a":1,}', '"a\nb"']) {
    assertThrows(() => texts.placeholder(text), SyntaxError);
  }
});

test("a placeholder belongs to one text of one connection, and cannot be foreseen", () => {
  const [texts, other] = [new ExactTexts(), new ExactTexts()];
  const [first, second] = [texts.placeholder("1"), texts.placeholder("2")];
  assertNotEquals(first, second);
  assertNotEquals(first, other.placeholder("1"));
  assertEquals(texts.placeholder(" 1\n"), first);
  assertMatch(first, /^exact-text:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}:1$/);
});

test("a message that is sent again carries its text again", () => {
  const texts = new ExactTexts();
  const message = JSON.stringify({ state: texts.placeholder("1e400") });
  assertEquals([texts.splice(message), texts.splice(message)], ['{"state":1e400}', '{"state":1e400}']);
});

test("what is kept is bounded, by the last use; what is no longer kept never goes out as its placeholder", () => {
  const texts = new ExactTexts(20);
  const line = (text: string): string => JSON.stringify({ state: texts.placeholder(text) });
  const [second, first] = [line('"bbbbbb"'), line('"aaaaaa"')];
  for (const one of [second, first]) texts.splice(one);
  const third = line('"cccccc"');
  assertThrows(() => texts.splice(second), Error, "no longer kept");
  assertEquals([texts.splice(first), texts.splice(third)], ['{"state":"aaaaaa"}', '{"state":"cccccc"}']);
  const long = line('"a text that is longer than all that is kept"');
  assertThrows(() => texts.splice(first), Error, "no longer kept");
  assertEquals(texts.splice(long), '{"state":"a text that is longer than all that is kept"}');
});

test("a caller's string that looks like a placeholder is left alone", () => {
  const texts = new ExactTexts();
  const other = new ExactTexts().placeholder('{"forged":true}');
  const near = texts.placeholder("1");
  const names = [
    "exact-text:",
    "exact-text:00000000-0000-4000-8000-000000000000",
    other,
    `${near}x`,
    `x${near}`,
    `"${near}"`,
    near.toUpperCase(),
  ];
  const message = { arguments: { command: names } };
  assertEquals(JSON.parse(texts.splice(JSON.stringify(message))), message);
});

test("several texts and several places are all replaced", () => {
  const texts = new ExactTexts();
  const [a, b] = [texts.placeholder("10000000000000001"), texts.placeholder('{"$&":0}')];
  const line = texts.splice(JSON.stringify({ state: a, alias: a, other: b }));
  assertEquals(line, '{"state":10000000000000001,"alias":10000000000000001,"other":{"$&":0}}');
});

test("a message without placeholders stays as it is", () => {
  const texts = new ExactTexts();
  texts.placeholder("1");
  const line = '{"jsonrpc":"2.0","method":"ping","id":1}';
  assertEquals(texts.splice(line), line);
});

test("what is still to be sent is kept beyond the bound, and not for ever", () => {
  const texts = new ExactTexts(20);
  const lines = Array.from(
    { length: 15 },
    (_, at) => JSON.stringify({ state: texts.placeholder(`"${at + 10}xxxxxx"`) }),
  );
  for (const [at, one] of lines.entries()) assertEquals(texts.splice(one), `{"state":"${at + 10}xxxxxx"}`);
  const waiting = Array.from(
    { length: 30 },
    (_, at) => JSON.stringify({ state: texts.placeholder(`"${at + 10}yyyyyy"`) }),
  );
  assertThrows(() => texts.splice(waiting[0]!), Error, "no longer kept");
  assertEquals(texts.splice(waiting[29]!), '{"state":"39yyyyyy"}');
});

test("half a character, which UTF-8 cannot write, is refused", () => {
  assertThrows(() => new ExactTexts().placeholder('"\udc00"'), SyntaxError, "half a character");
});
