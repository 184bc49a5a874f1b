import { assertEquals, assertThrows, fail } from "@std/assert";
import fc from "fast-check";
import { test } from "node:test";
import { JsonError } from "../../../core/errors.ts";
import { captureAuthority } from "../../../core/sandbox/capture.ts";
import { type CallSourceTexts, sourceTextsOf } from "../../../core/sandbox/source_text.ts";
import { exactJson } from "../arbitrary_json.ts";
import { drawFrom, mutate, spell } from "../json/spelling.ts";

const STATE = '{"permissionProfile": {"type":"managed"},"limit":9007199254740993,"10":1,"2":-0}';

/** A `tools/call` request with this text as its `_meta`. */
function callWith(meta: string, id = "1"): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"exec","arguments":{},"_meta":${meta}}}`;
}

function codeOf(message: string): string {
  return assertThrows(() => sourceTextsOf(message), JsonError).code;
}

test("the texts of the state and of its alias are given as they came", () => {
  const other = ` ${STATE.replace(":1,", " : 1.0,")}`;
  assertEquals(
    sourceTextsOf(callWith(`{"codex/sandbox-state":${STATE},"codex/sandbox-state-meta":${other} }`)),
    [
      { id: 1, stateText: STATE, aliasText: other.trim() },
    ],
  );
});

test("either alone is given, and any value is a state", () => {
  for (const value of ["null", "0", '""', "false", "[]", "{}", '"a \\u0041"', "-0", "1e400"]) {
    assertEquals(sourceTextsOf(callWith(`{"codex/sandbox-state":${value}}`)), [
      { id: 1, stateText: value, aliasText: undefined },
    ]);
    assertEquals(sourceTextsOf(callWith(`{"codex/sandbox-state-meta":${value}}`)), [
      { id: 1, stateText: undefined, aliasText: value },
    ]);
  }
});

test("ids are those of JSON.parse", () => {
  const meta = '{"codex/sandbox-state":1}';
  for (const id of ["0", "-1", "1.0", "7e2", '"a"', '""', '"1"', '"\\u0041\\n"', "9007199254740993"]) {
    assertEquals(sourceTextsOf(callWith(meta, id)).map((call) => call.id), [JSON.parse(id)], id);
  }
  for (const id of ["null", "true", "{}", "[1]"]) assertEquals(sourceTextsOf(callWith(meta, id)), [], id);
});

test("names are read as they are meant, in every escape", () => {
  const escaped = (text: string): string =>
    text.split("").map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const state = "codex/sandbox-state";
  for (
    const name of [
      "codex\\/sandbox-state",
      "codex/sandbox\\u002dstate",
      "\\u0063odex/sandbox-state",
      escaped(state),
    ]
  ) {
    const message = `{"${escaped("id")}":1,"m\\u0065thod":"tools\\/call","${
      escaped("params")
    }":{"_m\\u0065ta":{"${name}":2}}}`;
    assertEquals(sourceTextsOf(message), [{ id: 1, stateText: "2", aliasText: undefined }], name);
  }
});

test("a batch gives an entry for each call that carries a state", () => {
  const first = callWith('{"codex/sandbox-state":1}', '"a"');
  const second = callWith('{"codex/sandbox-state-meta":[ 2 ]}', "2");
  const batch = ` [${first} , {"id":9,"result":{}}, ${callWith("{}")}, null, [${first}],${second}]\n`;
  assertEquals(sourceTextsOf(batch), [
    { id: "a", stateText: "1", aliasText: undefined },
    { id: 2, stateText: undefined, aliasText: "[ 2 ]" },
  ]);
  assertEquals(sourceTextsOf('["sandbox-state"]'), []);
});

test("nothing but a request for a tool call carries a state", () => {
  const params = '"params":{"_meta":{"codex/sandbox-state":1}}';
  const messages = [
    `{"id":1,"method":"tools/list",${params}}`,
    `{"id":1,"method":"tools/call ",${params}}`,
    `{"id":1,"method":["tools/call"],${params}}`,
    `{"id":1,${params}}`,
    `{"method":"tools/call",${params}}`,
    '{"id":1,"result":{"method":"tools/call","params":{"_meta":{"codex/sandbox-state":1}}}}',
    '{"id":1,"method":"tools/call","codex/sandbox-state":1}',
    '{"id":1,"method":"tools/call","_meta":{"codex/sandbox-state":1}}',
    '{"id":1,"method":"tools/call","params":{"codex/sandbox-state":1}}',
    '{"id":1,"method":"tools/call","params":{"arguments":{"_meta":{"codex/sandbox-state":1}}}}',
    '{"id":1,"method":"tools/call","params":[{"_meta":{"codex/sandbox-state":1}}]}',
    '{"id":1,"method":"tools/call","params":{"_meta":[{"codex/sandbox-state":1}]}}',
    callWith('{"a":{"codex/sandbox-state":1}}'),
    callWith('{"codex/sandbox-state ":1,"Codex/sandbox-state":1,"codex\\\\/sandbox-state":1}'),
    callWith('"codex/sandbox-state"'),
    '"codex/sandbox-state"',
    "1",
  ];
  for (const message of messages) assertEquals(sourceTextsOf(message), [], message);
});

test("a member that decides and comes twice is refused", () => {
  const meta = '"_meta":{"codex/sandbox-state":1}';
  const messages = [
    `{"id":1,"method":"tools/call","params":{${meta}},"params":{}}`,
    `{"id":1,"method":"tools/call","params":{${meta},"_m\\u0065ta":{}}}`,
    `{"id":1,"id":1,"method":"tools/call","params":{${meta}}}`,
    `{"id":1,"method":"ping","method":"tools/call","params":{${meta}}}`,
    callWith('{"codex/sandbox-state":1,"codex/sandbox-state":1}'),
    callWith('{"codex/sandbox-state":1,"codex\\/sandbox-state":1}'),
    callWith('{"codex/sandbox-state-meta":1,"a":2,"codex/sandbox-state-meta":1}'),
    callWith('{"codex/sandbox-state":1,"codex/sandbox-launcher":{},"codex/sandbox-launcher":{}}'),
  ];
  for (const message of messages) {
    assertEquals(codeOf(message), "JSON_DUPLICATE_KEY", message);
    assertEquals(
      codeOf(`[${callWith('{"codex/sandbox-state":1}')},${message}]`),
      "JSON_DUPLICATE_KEY",
      message,
    );
  }
});

test("what comes twice elsewhere is not refused here", () => {
  const state = '{"a":1,"a":2,"codex/sandbox-state":1}';
  const message = callWith(`{"x":1,"x":2,"codex/sandbox-state":${state}}`);
  assertEquals(sourceTextsOf(message), [{ id: 1, stateText: state, aliasText: undefined }]);
});

test("a message that may carry a state is refused when it is malformed", () => {
  const call = callWith(`{"codex/sandbox-state":${STATE}}`);
  for (const message of [call.slice(0, -1), `${call}x`, `\ufeff${call}`, `[${call}`, `${call}\n${call}`]) {
    assertEquals(codeOf(message), "JSON_MALFORMED", message);
  }
  assertEquals(codeOf('"\\u12"'), "JSON_MALFORMED");
});

test("a message that cannot carry a state is not looked at", () => {
  for (const message of ["", "{", "{} x", '{"id":1,"id":2}', callWith("{}").slice(1)]) {
    assertEquals(sourceTextsOf(message), [], message);
  }
});

test("any two spellings of states are given back, and capture accepts them for what JSON.parse made of the call", () => {
  fc.assert(fc.property(exactJson, fc.integer(), (state, seed) => {
    const draw = drawFrom(seed);
    const [stateText, aliasText] = [spell(state, draw), spell(state, draw)];
    const name = (key: string): string => spell(key, draw);
    const message = callWith(
      `{${name("codex/sandbox-state")} :${stateText},${name("codex/sandbox-state-meta")}: ${aliasText}}`,
    );
    assertEquals(sourceTextsOf(message), [{ id: 1, stateText, aliasText }]);
    if (!message.isWellFormed()) return;
    const authority = captureAuthority(JSON.parse(message).params._meta, {
      transport: "stdio",
      stateText,
      aliasText,
    });
    assertEquals(authority.stateText, stateText);
  }));
});

test("changed messages: what is given belongs to the call that JSON.parse sees", () => {
  const draw = drawFrom(11);
  const original = callWith(
    `{"codex/sandbox-state":${STATE},"codex\\/sandbox-state-meta":[1,{"a":"\\u0041"}]}`,
  );
  let calls = 0;
  for (let run = 0; run < 5000; run++) {
    const message = mutate(original, draw);
    let given: readonly CallSourceTexts[];
    try {
      given = sourceTextsOf(message);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      continue;
    }
    for (const { id, stateText, aliasText } of given) {
      const parsed = JSON.parse(message);
      const meta: Readonly<Record<string, unknown>> = parsed.params._meta;
      assertEquals([parsed.id, parsed.method], [id, "tools/call"], message);
      assertEquals(valueOf(stateText), meta["codex/sandbox-state"], message);
      assertEquals(valueOf(aliasText), meta["codex/sandbox-state-meta"], message);
      calls++;
    }
  }
  if (calls < 100) fail(`only ${calls} of the changed messages were calls`);
});

function valueOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

test("sourceTextsOf: a launcher that names two executables is refused", () => {
  const meta =
    '{"codex/sandbox-state":1,"codex/sandbox-launcher":{"codexExecutable":"/a","codex\\u0045xecutable":"/b"}}';
  const line = `{"id":1,"method":"tools/call","params":{"_meta":${meta}}}`;
  assertThrows(() => sourceTextsOf(line), JsonError, "twice");
});
