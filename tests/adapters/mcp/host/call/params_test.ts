import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { ExactTexts } from "../../../../../adapters/mcp/wire/exact_text.ts";
import { buildCallParams, captureInput } from "../../../../../adapters/mcp/host/call/params.ts";
import { JsonError } from "../../../../../core/errors.ts";
import { advertiseSandboxState } from "../../../../../core/sandbox/capability.ts";
import type { Binding } from "../../../../../core/sandbox/binding.ts";

const BOUND: Binding<string> = {
  environment: "local",
  state: { sent: true, value: '{"n":9007199254740993}' },
  launcher: { sent: true, launcher: { codexExecutable: "/codex" } },
};
const NONE: Binding<string> = {
  environment: "local",
  state: { sent: false, reason: "no-state" },
  launcher: { sent: false, reason: "no-state", message: "" },
};

function paramsOf(meta: unknown, binding: Binding<string>, texts: ExactTexts): Record<string, unknown> {
  return buildCallParams({
    ...captureInput({ x: 1 }, meta),
    tool: "t",
    thread: "T",
    binding,
    connection: { capabilities: advertiseSandboxState(), exact: (text) => texts.placeholder(text) },
    platform: "linux",
  });
}

test("each time they are written, the state goes out as its text, under both names", () => {
  const texts = new ExactTexts();
  const params = paramsOf({}, BOUND, texts);
  const first = texts.splice(JSON.stringify(params));
  const second = texts.splice(JSON.stringify({ ...params, inputResponses: {} }));
  for (const line of [first, second]) assertEquals(line.split('{"n":9007199254740993}').length - 1, 2);
  assertEquals(first.includes('"codex/sandbox-launcher":{"codexExecutable":"/codex"}'), true);
});

test("a caller's entries are kept in order, names like __proto__ too; what is the host's or the connection's is not", () => {
  const meta = JSON.parse(
    '{"z":1,"__proto__":{"a":1},"codex/sandbox-state":1,"codex/sandbox-launcher":2,"progressToken":3,' +
      '"io.modelcontextprotocol/logLevel":"debug","io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/clientCapabilities":{},"a":{"b":[]}}',
  );
  const { _meta } = paramsOf(meta, NONE, new ExactTexts());
  assertEquals(JSON.stringify(_meta), '{"z":1,"__proto__":{"a":1},"a":{"b":[]},"threadId":"T"}');
  const own = paramsOf({ threadId: "mine" }, NONE, new ExactTexts());
  assertEquals(JSON.stringify(own["_meta"]), '{"threadId":"mine"}');
});

test("what was given is copied; what is no JSON object is refused", () => {
  const args = { deep: { list: [1] } };
  const input = captureInput(args, { m: 1 });
  args.deep.list.push(2);
  assertEquals(input.args, { deep: { list: [1] } });
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  for (const wrong of [circle, null, [1], "text", { big: 1n }]) {
    const error = assertThrows(() => captureInput(wrong, {}), JsonError, "arguments");
    assertEquals(error.code, "JSON_MALFORMED");
    assertThrows(() => captureInput({}, wrong), JsonError, "_meta");
  }
});

test("what is nested too deeply for a message is refused before anything is sent", () => {
  const nested = (depth: number): unknown => {
    let value: unknown = 1;
    for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
    return { value };
  };
  captureInput(nested(1_000), nested(1_000));
  for (const depth of [1_001, 50_000]) {
    const error = assertThrows(() => captureInput(nested(depth), {}), JsonError);
    assertEquals(error.code, "JSON_MALFORMED");
    assertThrows(() => captureInput({}, nested(depth)), JsonError);
  }
});
