import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { authorityOf } from "../../../../adapters/mcp/server/authority_of.ts";
import { ExactInput, type ExactInputOptions } from "../../../../adapters/mcp/server/exact_input.ts";
import { refusalCode } from "../../../core/refusal.ts";

const STATE =
  '{"n":9007199254740993,"e":1e400,"z":-0,"10":1.0,"2":10e-1,"s":"\\/\\u0041😀\\ud800","a":1,"a":2, "w" : [ ]}';

/** A `tools/call` with this text inside its `_meta`. */
function callWith(meta: string, id = "1"): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"exec","_meta":{${meta}}}}`;
}

function call(state: string, id = "1"): string {
  return callWith(`"codex/sandbox-state":${state},"codex/sandbox-state-meta":${state}`, id);
}

/** What an input made of some pieces. */
interface Read {
  readonly input: ExactInput;
  /** What went on, as text of bytes. */
  readonly passed: string;
  readonly replies: readonly string[];
  readonly refusals: readonly string[];
}

function read(pieces: readonly (string | Uint8Array)[], options: ExactInputOptions = {}): Read {
  const refusals: string[] = [];
  const input = new ExactInput({ ...options, onrefusal: ({ code }) => refusals.push(code) });
  const reads = pieces.map((piece) => input.push(typeof piece === "string" ? encode(piece) : piece));
  reads.push(input.end());
  return {
    input,
    passed: reads.flatMap(({ messages }) => messages.map(latin1)).join(""),
    replies: reads.flatMap(({ replies }) => replies),
    refusals,
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** `text` as UTF-8 with the bytes of `ÿ` (U+00FF) replaced by one byte that is none. */
function broken(text: string): Uint8Array {
  return Uint8Array.from([...text], (c) => c.charCodeAt(0));
}

function codeOfReply(reply: string | undefined): unknown {
  const { id, error } = JSON.parse(reply ?? "{}");
  return [id, error.code, error.message.split(":")[0]];
}

test("ExactInput: messages go on byte for byte, and their states are given by id", () => {
  const lines = `${call(STATE)}\n\n \r\n{"jsonrpc":"2.0","id":1,"result":{}}\r\n${call("1e400", '"a"')}\r\n`;
  const { input, passed, replies } = read([lines]);
  assertEquals([passed, replies], [latin1(encode(lines)), []]);
  assertEquals(input.sourceTexts(1), { stateText: STATE, aliasText: STATE });
  assertEquals(input.sourceTexts("a"), { stateText: "1e400", aliasText: "1e400" });
});

test("ExactInput: a message split at any byte is one message, also inside of a character", () => {
  const bytes = encode(`${call(STATE)}\r\n${call("[1.0]", "2")}\n`);
  for (let at = 0; at <= bytes.length; at++) {
    const { input, passed } = read([bytes.subarray(0, at), bytes.subarray(at)]);
    assertEquals(passed, latin1(bytes));
    assertEquals([input.sourceTexts(1).stateText, input.sourceTexts(2).stateText], [STATE, "[1.0]"]);
  }
  const { input } = read([...bytes].map((byte) => Uint8Array.of(byte)));
  assertEquals([input.sourceTexts(1).stateText, input.sourceTexts(2).stateText], [STATE, "[1.0]"]);
});

test("ExactInput: nothing goes on before its line is complete, and a chunk may be reused", () => {
  const input = new ExactInput();
  const chunk = encode(call(STATE));
  assertEquals(input.push(chunk).messages, []);
  chunk.fill(0);
  assertEquals(input.sourceTexts(1).stateText, "");
  const { messages } = input.push(encode("\n"));
  assertEquals(messages.map(latin1), [latin1(encode(`${call(STATE)}\n`))]);
  assertEquals(input.sourceTexts(1).stateText, STATE);
});

test("ExactInput: a last message without a line end is read at the end, and goes on without one", () => {
  const { input, passed } = read([call(STATE)]);
  assertEquals(passed, latin1(encode(call(STATE))));
  assertEquals(input.sourceTexts(1).stateText, STATE);
  const twice = callWith(`"codex/sandbox-state":1,"codex/sandbox-state":2`);
  assertEquals(read([twice]).passed, "");
});

test("ExactInput: what names twice what must not come twice does not go on, and is answered", () => {
  const meta = '"_meta":{"codex/sandbox-state":1}';
  const messages = [
    callWith('"codex/sandbox-state":1,"codex/sandbox-state":1'),
    callWith('"codex/sandbox-state":1,"codex\\/sandbox-st\\u0061te":2'),
    callWith('"codex/sandbox-state-meta":1,"x":0,"codex/sandbox-state-meta":1'),
    callWith('"codex/sandbox-state":1,"codex/sandbox-launcher":{},"codex/sandbox-launcher":{}'),
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${meta}},"params":{}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"par\\u0061ms":{${meta}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${meta},"_meta":{}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{${meta}}}`,
  ];
  for (const message of messages) {
    const { input, passed, replies, refusals } = read([
      `${call("{}", "7")}\n${message}\n${call("{}", "8")}\n`,
    ]);
    assertEquals(passed, `${call("{}", "7")}\n${call("{}", "8")}\n`, message);
    assertEquals([replies.length, codeOfReply(replies[0])], [1, [1, -32600, "STATE_CONFLICT"]], message);
    assertEquals(refusals, ["STATE_CONFLICT"]);
    assertEquals(refusalCode(() => input.sourceTexts(1)), "STATE_CONFLICT");
    assertEquals([input.sourceTexts(7).stateText, input.sourceTexts(8).stateText], ["{}", "{}"]);
  }
});

test("ExactInput: where no id can be told there is no answer", () => {
  const meta = '"_meta":{"codex/sandbox-state":1}';
  const messages = [
    `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{${meta}}}`,
    `{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{${meta}},"params":{}}`,
    `{"jsonrpc":"2.0","method":"notifications/x","params":{${meta}},"params":{}}`,
    `{"jsonrpc":"2.0","id":1,"result":{"params":"\\u0041"},"params":{},"params":{}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${meta}},"params":{}`,
  ];
  for (const message of messages) {
    const { passed, replies, refusals } = read([`${message}\n`]);
    assertEquals([passed, replies, refusals], ["", [], ["STATE_CONFLICT"]], message);
  }
});

test("ExactInput: an answer has the id as it was written", () => {
  for (const id of ["-0", "1.50", '"\\u0041\\n"', "9007199254740993", '""']) {
    const { replies } = read([callWith(`"codex/sandbox-state":1,"codex/sandbox-state":2`, id)]);
    assert(replies[0]?.startsWith(`{"jsonrpc":"2.0","id":${id},"error":`), replies[0]);
  }
});

test("ExactInput: what is not UTF-8 does not go on, wherever the byte is", () => {
  const messages = [
    broken(`${callWith('"codex/sandbox-state":{"a":"ÿ"}')}\n`),
    broken(`${callWith('"codex/sandbox-state":{"a":1},"ÿ":1')}\n`),
    broken(`${callWith('"a":"\xe2\x82"')}\n`),
    broken(`${callWith('"a":"\xed\xa0\x80"')}\n`),
  ];
  for (const message of messages) {
    const { input, passed, replies, refusals } = read([message]);
    assertEquals([passed, refusals], ["", ["STATE_INEXACT"]]);
    assertEquals(replies.map(codeOfReply), [[1, -32700, "STATE_INEXACT"]]);
    assertEquals(refusalCode(() => input.sourceTexts(1)), "STATE_INEXACT");
  }
  for (
    const silent of [
      '{"id":"ÿ","method":"tools/call"}',
      '{"id":1,"result":"ÿ"}',
      "ÿ",
      '{"id":1ÿ,"method":"x"}',
    ]
  ) {
    const { passed, replies, refusals } = read([broken(silent)]);
    assertEquals([passed, replies, refusals], ["", [], ["STATE_INEXACT"]]);
  }
});

test("ExactInput: a replacement character that was sent is a character like any other", () => {
  const { input, passed, replies } = read([`${call('"\ufffd"')}\n`]);
  assertEquals([passed, replies], [latin1(encode(`${call('"\ufffd"')}\n`)), []]);
  assertEquals(input.sourceTexts(1).stateText, '"\ufffd"');
});

test("ExactInput: what is no JSON goes on as it is, and gives no texts", () => {
  const flawed = [
    call(STATE).slice(0, -1),
    `\ufeff${call(STATE)}`,
    `${call(STATE)}}`,
    '{"codex/sandbox-state"',
  ];
  for (const message of flawed) {
    const { input, passed, replies } = read([`${message}\n`]);
    assertEquals([passed, replies], [latin1(encode(`${message}\n`)), []]);
    assertEquals(input.sourceTexts(1).stateText, "");
  }
});

test("ExactInput: batches go on, and are refused as a whole", () => {
  const batch = `[${call("1.0", "1")}, ${call("2.0", '"b"')},{"jsonrpc":"2.0","id":3,"method":"ping"}]`;
  const { input, passed } = read([`${call("0.0", "3")}\n${batch}\n`]);
  assertEquals(passed, `${call("0.0", "3")}\n${batch}\n`);
  assertEquals([1, "b", 3].map((id) => input.sourceTexts(id).stateText), ["1.0", "2.0", ""]);
  const twice = batch.replace('"id":"b"', '"id":"b","params":{}');
  const refused = read([twice]);
  assertEquals(refused.passed, "");
  assertEquals(refused.replies.map(codeOfReply), [1, "b", 3].map((id) => [id, -32600, "STATE_CONFLICT"]));
});

test("ExactInput: a later request takes the texts of an id away, a response and a notification do not", () => {
  const last = (line: string) => read([`${call("1.0")}\n${line}\n`]).input.sourceTexts(1).stateText;
  assertEquals(last('{"jsonrpc":"2.0","id":1,"method":"ping"}'), "");
  assertEquals(last(callWith("")), "");
  assertEquals(last(call("[2.0]")), "[2.0]");
  assertEquals(last('{"jsonrpc":"2.0","id":1,"result":{}}'), "1.0");
  assertEquals(last('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'), "1.0");
});

test("ExactInput: interleaved calls get their own, and none gets another's", () => {
  const input = new ExactInput();
  const ask = (id: number, state: string): string => {
    const request = JSON.parse(call(state, String(id)));
    return authorityOf(request, { transport: "stdio", sourceTexts: input.sourceTexts }).stateText;
  };
  input.push(encode(`${call("[9007199254740993]", "1")}\n${call("[9007199254740992]", "2")}\n`));
  assertEquals(ask(2, "[9007199254740992]"), "[9007199254740992]");
  assertEquals(ask(1, "[9007199254740993]"), "[9007199254740993]");
  assertEquals(refusalCode(() => ask(1, "[1]")), "STATE_CONFLICT");
  assertEquals(refusalCode(() => ask(3, "[1]")), "STATE_CONFLICT");
  input.push(encode(`${call("[9007199254740993]", "4")}\n${call("[9007199254740992]", "4")}\n`));
  assertEquals(refusalCode(() => ask(4, "[9007199254740993]")), "STATE_CONFLICT");
});

test("ExactInput: a call without its text is refused, not rewritten", () => {
  const sourceTexts = new ExactInput().sourceTexts;
  const request = JSON.parse(call('{"a":1.0}'));
  assertEquals(
    refusalCode(() => authorityOf(request, { transport: "stdio", sourceTexts })),
    "STATE_CONFLICT",
  );
  assertEquals(authorityOf(request, { transport: "stdio" }).stateText, '{"a":1}');
});

test("ExactInput: a message that is too long ends the reading", () => {
  const input = new ExactInput({ maxMessageBytes: 100 });
  assertEquals(input.push(encode(`${"x".repeat(99)}\n`)).messages.length, 1);
  assertThrows(() => input.push(encode("x".repeat(101))), RangeError);
});

test("ExactInput: 100,000 calls leave little behind", () => {
  const input = new ExactInput();
  for (let id = 0; id < 100_000; id++) input.push(encode(`${call(`{"call":${id}.0}`, String(id))}\n`));
  assertEquals(input.sourceTexts(99_999).stateText, '{"call":99999.0}');
  assertEquals(input.sourceTexts(1).stateText, "");
  assertEquals(input.size.calls, 4_096);
});
