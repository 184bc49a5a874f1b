import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import process from "node:process";
import { test } from "node:test";
import { CallTexts } from "../../../../adapters/mcp/server/call_texts.ts";
import { SandboxError } from "../../../../core/errors.ts";
import { captureAuthority } from "../../../../core/sandbox/capture.ts";
import { refusalCode } from "../../../core/refusal.ts";

const STATE = "codex/sandbox-state";
const ALIAS = "codex/sandbox-state-meta";

function stateOf(calls: CallTexts, id: string | number): string | undefined {
  return calls.of(id).stateText;
}

function bind(calls: CallTexts, id: string | number, stateText: string): void {
  calls.bind({ id, stateText, aliasText: undefined });
}

test("CallTexts: texts belong to their id, and a number is not the string of its digits", () => {
  const calls = new CallTexts();
  calls.bind({ id: 1, stateText: "1.0", aliasText: " 1" });
  calls.bind({ id: "1", stateText: undefined, aliasText: "-0" });
  assertEquals(calls.of(1), { stateText: "1.0", aliasText: " 1" });
  assertEquals(calls.of("1"), { stateText: undefined, aliasText: "-0" });
  assertEquals(calls.of(1), { stateText: "1.0", aliasText: " 1" }, "asked for again");
});

test("CallTexts: a call that is not known is refused when it carries a state, and only then", () => {
  const texts = new CallTexts().of(1);
  for (const value of ["", null, 0, {}, [], "x"]) {
    for (const meta of [{ [STATE]: value }, { [ALIAS]: value }, { [STATE]: value, [ALIAS]: value }]) {
      assertEquals(refusalCode(() => captureAuthority(meta, { ...texts })), "STATE_CONFLICT");
    }
  }
  assertEquals(refusalCode(() => captureAuthority({}, { ...texts })), "STATE_MISSING");
});

test("CallTexts: a later call with an id takes the place of an earlier one", () => {
  const calls = new CallTexts();
  bind(calls, 1, '{"n":1}');
  bind(calls, 1, '{"n":2}');
  assertEquals(stateOf(calls, 1), '{"n":2}');
  bind(calls, 1, '{"n":9007199254740993}');
  assertEquals(stateOf(calls, 1), '{"n":9007199254740993}');
  bind(calls, 1, '{"n":9007199254740992}');
  assertEquals(stateOf(calls, 1), '{"n":9007199254740992}', "the handler of the earlier one has its text");
});

test("CallTexts: two calls that nobody can tell apart are both refused", () => {
  const calls = new CallTexts();
  bind(calls, 1, '{"n":9007199254740993}');
  bind(calls, 1, '{"n":9007199254740992}');
  bind(calls, 1, '{"n":1}');
  assertEquals(refusalCode(() => calls.of(1)), "STATE_CONFLICT");
  assertEquals(refusalCode(() => calls.of(1)), "STATE_CONFLICT");
  bind(calls, 1, '{"n":3}');
  assertEquals(stateOf(calls, 1), '{"n":3}', "once it is known, the id can be used again");
});

test("CallTexts: nor is one with both texts, when one with a single text follows", () => {
  const calls = new CallTexts();
  calls.bind({ id: 1, stateText: '{"n":0}', aliasText: '{"n":0}' });
  calls.bind({ id: 1, stateText: undefined, aliasText: '{"n":-0}' });
  assertEquals(refusalCode(() => calls.of(1)), "STATE_CONFLICT");
});

test("CallTexts: nor are two that a third came between", () => {
  const calls = new CallTexts();
  bind(calls, 1, '{"n":9007199254740993}');
  bind(calls, 1, '{"n":1}');
  bind(calls, 1, '{"n":9007199254740992}');
  assertEquals(refusalCode(() => calls.of(1)), "STATE_CONFLICT");
});

test("CallTexts: an id that serves every call does not collect their texts", () => {
  const calls = new CallTexts();
  for (let call = 0; call < 1_000; call++) bind(calls, 1, `{"call":${1_000 + call}}`);
  assertEquals(stateOf(calls, 1), '{"call":1999}');
  assertEquals(calls.size, { calls: 1, chars: 1 + 9 * 13 });
});

test("CallTexts: the same text twice is no ambiguity, a text for another key is none either", () => {
  const calls = new CallTexts();
  bind(calls, 1, "1e400");
  bind(calls, 1, "1e400");
  assertEquals(stateOf(calls, 1), "1e400");
  bind(calls, 2, "1e400");
  calls.bind({ id: 2, stateText: undefined, aliasText: "1e400" });
  assertEquals(calls.of(2), { stateText: undefined, aliasText: "1e400" });
});

test("CallTexts: a refusal is thrown to whoever asks, until the next call", () => {
  const calls = new CallTexts();
  const refusal = new SandboxError("STATE_INEXACT", "Cannot read it");
  bind(calls, 1, "{}");
  calls.refuse(1, refusal);
  assertEquals(refusalCode(() => calls.of(1)), "STATE_INEXACT");
  calls.refuse(1, new SandboxError("STATE_CONFLICT", "Cannot tell it"));
  bind(calls, 1, "{}");
  assertEquals(stateOf(calls, 1), "{}");
  bind(calls, 1, "1.0");
  calls.clear(1);
  assertEquals(stateOf(calls, 1), "", "though its handler has not asked");
  calls.clear(1);
  assertEquals(stateOf(calls, 1), "");
  assertEquals(calls.size, { calls: 0, chars: 0 });
});

test("CallTexts: the calls that were not used for longest go first", () => {
  const calls = new CallTexts({ maxCalls: 3 });
  for (const id of [1, 2, 3]) bind(calls, id, `[${id}]`);
  stateOf(calls, 1);
  bind(calls, 4, "[4]");
  assertEquals([1, 2, 3, 4].map((id) => stateOf(calls, id)), ["[1]", "", "[3]", "[4]"]);
});

test("CallTexts: characters are bounded, equal copies and ids counted once; the newest call stays", () => {
  const calls = new CallTexts({ maxChars: 10 });
  calls.bind({ id: "abc", stateText: "12345", aliasText: "12345" });
  assertEquals(calls.size, { calls: 1, chars: 8 });
  assertStrictEquals(calls.of("abc").stateText, calls.of("abc").aliasText);
  calls.bind({ id: 1, stateText: "1", aliasText: "1.0" });
  assertEquals(calls.size, { calls: 1, chars: 5 });
  bind(calls, 2, "1".repeat(1000));
  assertEquals(calls.size, { calls: 1, chars: 1001 });
  bind(calls, 3, "1");
  assertEquals(calls.size, { calls: 1, chars: 2 });
});

test("CallTexts: 100,000 calls leave no more than a few thousand behind", () => {
  const calls = new CallTexts();
  for (let id = 0; id < 100_000; id++) bind(calls, id, `{"call":${id}}`);
  assertEquals(calls.size.calls, 4_096);
  assertEquals(stateOf(calls, 99_999), '{"call":99999}');
  assert(calls.size.chars < 4_096 * 30);
});

test("CallTexts: a text keeps nothing alive of the message that it was cut from", () => {
  const calls = new CallTexts();
  const before = usedBytes();
  for (let id = 0; id < 100; id++) {
    const message = new TextDecoder().decode(new Uint8Array(8_000_000).fill(0x30 + id % 10));
    bind(calls, id, message.slice(100, 1_100));
  }
  assertEquals(calls.size.chars, 100_190);
  // 800 MB if each kept its message; garbage that is not collected yet is far less
  assert(usedBytes() - before < 400_000_000, `${usedBytes() - before} bytes more`);
});

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
