import { assertEquals, assertThrows } from "@std/assert";
import { test } from "node:test";
import { EXEC_INPUT_SCHEMA, parseExecArguments } from "../../../../adapters/cli/serve/exec_arguments.ts";
import { SandboxError } from "../../../../core/errors.ts";

const FULL = { command: ["cat", "-"], timeoutMs: 1, stdin: "", directory: "src" };

test("arguments are read, each if it is there", () => {
  assertEquals(parseExecArguments(FULL), FULL);
  assertEquals(parseExecArguments({ command: ["ls"] }), { command: ["ls"] });
  assertEquals(Object.keys(EXEC_INPUT_SCHEMA.properties), Object.keys(FULL));
});

test("what else there is makes no difference", () => {
  const more = { ...FULL, _meta: { "codex/sandbox-state": {} }, "codex/sandbox-state": {}, cwd: 1, env: [] };
  assertEquals(parseExecArguments(more), FULL);
});

test("an argument that is not what it must be is refused by its name", () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ["command", undefined],
    ["command", null],
    ["command", []],
    ["command", "ls -l"],
    ["command", { command: [] }],
    ["command", { command: "ls -l" }],
    ["command", { command: ["ls", 1] }],
    ["command", Object.create({ command: ["ls"] })],
    ["timeoutMs", { command: ["ls"], timeoutMs: 0 }],
    ["timeoutMs", { command: ["ls"], timeoutMs: NaN }],
    ["timeoutMs", { command: ["ls"], timeoutMs: "5" }],
    ["stdin", { command: ["ls"], stdin: 5 }],
    ["directory", { command: ["ls"], directory: null }],
  ];
  for (const [name, value] of wrong) {
    const { code, message } = assertThrows(() => parseExecArguments(value), SandboxError);
    assertEquals([code, message.startsWith(`Cannot read the argument "${name}": `)], [
      "COMMAND_INVALID",
      true,
    ]);
  }
});
