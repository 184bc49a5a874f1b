import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { isRefusal, metaTexts, textOf } from "../../../../adapters/cli/check/call.ts";

test("only what is there is sent, and states as the texts that they are", () => {
  assertEquals(metaTexts({}), []);
  assertEquals(metaTexts({ state: '{"n": 1.0}', alias: "-0", launcher: '/a "b"' }), [
    '"codex/sandbox-state":{"n": 1.0}',
    '"codex/sandbox-state-meta":-0',
    '"codex/sandbox-launcher":{"codexExecutable":"/a \\"b\\""}',
  ]);
  assertEquals(metaTexts({ alias: "null" }), ['"codex/sandbox-state-meta":null']);
});

test("an error of the protocol or of the tool is a refusal, and nothing else is", () => {
  assertEquals(isRefusal({ error: {} }), true);
  assertEquals(isRefusal({ result: { isError: true } }), true);
  for (const result of [undefined, {}, { isError: false }, { isError: "true" }]) {
    assertEquals(isRefusal({ result }), false);
  }
});

test("the text of an answer is quoted and cut", () => {
  const content = [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }];
  assertEquals(textOf({ result: { content } }), '"one two"');
  assertEquals(textOf({ error: { code: 1, message: "wrong\n" } }), '"wrong\\n"');
  assertEquals(textOf({ result: undefined }), '""');
  assertEquals(textOf({ error: { message: "x".repeat(500) } }).length, 163);
});
