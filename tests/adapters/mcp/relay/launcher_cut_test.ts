import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { cutLauncher } from "../../../../adapters/mcp/relay/launcher_cut.ts";
import { JsonError } from "../../../../core/errors.ts";

const KEY = '"codex/sandbox-launcher"';
const LAUNCHER = `${KEY}:{"codexExecutable":"/opt/codex"}`;

test("the launcher goes with one comma, and nothing else changes", () => {
  const cases: readonly (readonly [string, string])[] = [
    [LAUNCHER, ""],
    [` ${LAUNCHER} `, "  "],
    [`${LAUNCHER},"a":1.0`, '"a":1.0'],
    [`"a":1.0,${LAUNCHER}`, '"a":1.0'],
    [`"a" : -0 , ${LAUNCHER} , "b":1e400 `, '"a" : -0 ,   "b":1e400 '],
    [`${LAUNCHER}, ${LAUNCHER}`, " "],
    [`${LAUNCHER},"a":1,${LAUNCHER} , ${LAUNCHER}`, '"a":1  '],
    [`"a":1,${LAUNCHER},${LAUNCHER},"b":2`, '"a":1,"b":2'],
    [`"10":1,"2":2,"10":3,${LAUNCHER}`, '"10":1,"2":2,"10":3'],
    [`"é":"😀\\u0041",${LAUNCHER},"__proto__":{}`, '"é":"😀\\u0041","__proto__":{}'],
    [`${KEY}:null,"a":[${KEY},{${LAUNCHER}}]`, `"a":[${KEY},{${LAUNCHER}}]`],
  ];
  for (const [meta, left] of cases) assertEquals(cut(call(meta)), call(left));
});

test("the name counts as it is meant, however it is written", () => {
  const names = [
    '"codex\\/sandbox-launcher"',
    '"\\u0063odex/sandbox-launcher"',
    '"codex/sandbox\\u002Dlauncher"',
    '"codex/sandbox\\u002dlauncher"',
    `"${
      [..."codex/sandbox-launcher"].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
    }"`,
  ];
  for (const name of names) assertEquals(cut(call(`"a":1,${name}:"x"`)), call('"a":1'));
  for (const name of ['"codex/sandbox-launchers"', '"Codex/sandbox-launcher"', '"codex/sandbox-state"']) {
    assertEquals(cut(call(`${name}:1`)), call(`${name}:1`));
  }
});

test("members that come twice count each time, since no one knows which of them is read", () => {
  const meta = `{"a":1,${LAUNCHER}}`;
  const left = '{"a":1}';
  const messages: readonly ((meta: string) => string)[] = [
    (one) => `{"method":"tools/call","params":{"_meta":${one},"_meta":${one}}}`,
    (one) => `{"method":"tools/call","params":{"_meta":${one}},"params":{"_meta":${one}}}`,
    (one) => `{"method":"tools/call","method":"tools/list","params":{"_meta":${one}}}`,
    (one) => `{"method":"tools/list","params":{"_meta":${one}},"method":"tools\\/call"}`,
    (one) => `{"params":{"\\u005fmeta":${one}},"\\u006dethod":"tools/call","id":1}`,
  ];
  for (const message of messages) assertEquals(cut(message(meta)), message(left));
});

test("every call of a batch is cut, and other messages are not", () => {
  const list = `{"method":"tools/list","params":{"_meta":{${LAUNCHER}}}}`;
  assertEquals(
    cut(` [ ${call(LAUNCHER)} ,${list}, 1, ${call(`"a":1,${LAUNCHER}`)}]\r\n`),
    ` [ ${call("")} ,${list}, 1, ${call('"a":1')}]\r\n`,
  );
  const kept = [
    list,
    "[]",
    `[${KEY}]`,
    KEY,
    `{"result":{"_meta":{${LAUNCHER}}},"id":1}`,
    `{"method":"tools/call","_meta":{${LAUNCHER}}}`,
    `{"method":"tools/call","params":{"arguments":{"_meta":{${LAUNCHER}}}}}`,
    `{"method":"tools/call","params":[{"_meta":{${LAUNCHER}}}]}`,
    `{"method":"tools/call","params":{"_meta":[{${LAUNCHER}}]}}`,
    `{"method":["tools/call"],"params":{"_meta":{${LAUNCHER}}}}`,
    `{"method":"tools/call","params":{"_meta":{"a":{${LAUNCHER}}}}}`,
  ];
  for (const message of kept) {
    const line = new TextEncoder().encode(`${message}\n`);
    assertStrictEquals(cutLauncher(line), line);
  }
});

test("what cannot be searched is refused when it may carry a launcher", () => {
  const refused = [
    call(LAUNCHER).slice(0, -1),
    `${call(LAUNCHER)}x`,
    `\ufeff${call(LAUNCHER)}`,
    `[${call(LAUNCHER)},]`,
    `[${call(LAUNCHER)}`,
    `[${call(LAUNCHER)} ${call("")}]`,
    `{'method':'tools/call',${LAUNCHER}}`,
    `not JSON: \\u0063`,
    `{"x":\r${call(LAUNCHER)}\r}`,
    call(`${LAUNCHER}\r`),
  ];
  for (const message of refused) {
    const error = assertThrows(() => cut(message), JsonError);
    assertEquals(error.code, "JSON_MALFORMED");
    assert(!error.message.includes("codex/"));
  }
  for (const message of ["", "\r\n", "not JSON", "{", '{"a":\r1}']) assertEquals(cut(message), message);
});

test("what is not UTF-8 is refused, whatever it holds", () => {
  const sequences = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]];
  for (const sequence of sequences) {
    const error = assertThrows(() => cutLauncher(new Uint8Array([0x22, ...sequence, 0x22])), JsonError);
    assertEquals(error.code, "JSON_MALFORMED");
  }
});

test("depth and length cost nothing but time in proportion", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assertEquals(cut(call(`"a":${deep},${KEY}:${deep}`)), call(`"a":${deep}`));
  const many = Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i},${LAUNCHER}`).join(",");
  assertEquals(cut(call(many)), call(many.replaceAll(`,${LAUNCHER}`, "")));
});

test("any mixture of members keeps the others byte for byte", () => {
  const space = fc.constantFrom("", " ", "\t ");
  const member = fc.record({
    before: space,
    colon: space,
    after: space,
    name: fc.oneof(fc.string({ unit: "grapheme" }).map((name) => JSON.stringify(name)), fc.constant(KEY)),
    value: fc.json().map((text) => text.replaceAll(/[\r\n]/g, " ")),
  });
  fc.assert(fc.property(fc.array(member, { maxLength: 8 }), (members) => {
    const isLauncher = ({ name }: { readonly name: string }): boolean => name === KEY;
    const written = members.map(({ before, name, colon, value, after }) =>
      `${before}${name}${colon}:${value}${after}`
    );
    const result = cut(call(written.join(",")));
    const inner = result.slice(call("").indexOf("{}") + 1, -3);
    const kept = written.filter((_, index) => !isLauncher(members[index]!));
    const blank = members.filter(isLauncher).map(({ before, after }) => before + after).join("").length;
    assertEquals(inner.length, kept.join(",").length + blank);
    assertEquals(
      Object.entries(JSON.parse(`{${inner}}`)),
      Object.entries(JSON.parse(`{${kept.join(",")}}`)),
    );
    let at = 0;
    for (const text of kept.map((one) => one.trim())) {
      at = inner.indexOf(text, at);
      assert(at >= 0);
      at += text.length;
    }
  }));
});

function call(meta: string): string {
  return `{ "id":1,"method":"tools/call","params":{"_meta":{${meta}}}}`;
}

function cut(message: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(cutLauncher(new TextEncoder().encode(message)));
}
