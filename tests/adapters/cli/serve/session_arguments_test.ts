import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import {
  parseInput,
  parseStartArguments,
  parseUseArguments,
  SESSION_INPUT_SCHEMAS,
} from "../../../../adapters/cli/serve/session_arguments.ts";
import { CodexMcpError } from "../../../../core/errors.ts";

function codeOf(body: () => unknown): string {
  const error = assertThrows(body);
  return error instanceof CodexMcpError ? error.code : String(error);
}

test("what session_start asks for, and what it does not say", () => {
  const command = ["python3", "-i"];
  assertEquals(parseStartArguments({ command, threadId: "x", stdin: 7, timeoutMs: "x" }), {
    command,
    directory: undefined,
    idleTimeoutMs: undefined,
    onChange: "end",
    waitMs: 1_000,
  });
  const all = { command, directory: "src", idleTimeoutMs: 1, onChange: "restart", waitMs: 0 };
  assertEquals(parseStartArguments(all), { ...all, onChange: "restart" });
});

test("what cannot be read is refused with a code", () => {
  const command = ["x"];
  for (const wrong of [undefined, {}, { command: "ls" }, { command: [] }, { command, directory: 1 }]) {
    assertEquals(codeOf(() => parseStartArguments(wrong)), "COMMAND_INVALID");
  }
  for (
    const wrong of [
      { idleTimeoutMs: 0 },
      { idleTimeoutMs: "1" },
      { idleTimeoutMs: NaN },
      { onChange: "keep" },
      { onChange: true },
      { waitMs: -1 },
      { waitMs: "1" },
      { waitMs: NaN },
    ]
  ) assertEquals(codeOf(() => parseStartArguments({ command, ...wrong })), "SESSION_INVALID");
  for (
    const wrong of [undefined, {}, { sessionId: 1 }, { sessionId: "x", waitMs: null }, {
      sessionId: "x",
      waitMs: {},
    }]
  ) {
    if (wrong?.waitMs === null) assertEquals(parseUseArguments(wrong).waitMs, 1_000);
    else assertEquals(codeOf(() => parseUseArguments(wrong)), "SESSION_INVALID");
  }
  for (const wrong of [undefined, {}, { input: 1 }, { input: null }]) {
    assertEquals(codeOf(() => parseInput(wrong)), "SESSION_INVALID");
  }
});

test("a wait is cut to what a host waits for", () => {
  assertEquals(parseUseArguments({ sessionId: "x", waitMs: 1e9 }), { sessionId: "x", waitMs: 45_000 });
  assertEquals(parseUseArguments({ sessionId: "x", waitMs: Infinity }).waitMs, 45_000);
  assertEquals(parseInput({ input: "" }), "");
});

test("the schemas list what is read", () => {
  const names = Object.entries(SESSION_INPUT_SCHEMAS).map(([name, schema]) => {
    const { properties, required } = schema as { properties: object; required: string[] };
    return [name, Object.keys(properties), required];
  });
  assertEquals(names, [
    ["session_start", ["command", "directory", "idleTimeoutMs", "onChange", "waitMs"], ["command"]],
    ["session_send", ["sessionId", "input", "waitMs"], ["sessionId", "input"]],
    ["session_read", ["sessionId", "waitMs"], ["sessionId"]],
    ["session_end", ["sessionId"], ["sessionId"]],
  ]);
});
