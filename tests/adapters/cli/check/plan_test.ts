import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { test } from "node:test";
import { CHECK_FLAGS, type CheckPlan, chooseCall, readPlan } from "../../../../adapters/cli/check/plan.ts";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { readFlags } from "../../../../adapters/cli/program/flags.ts";
import type { CliRuntime } from "../../../../adapters/cli/program/runtime.ts";
import { createRuntime } from "../../../../adapters/cli/main.ts";

const ARRAY = { properties: { command: { type: "array" } } };

test("the command line becomes a plan", async () => {
  const plan = await read([
    "--tool",
    "run",
    "--args",
    ' {"a":1.0} ',
    "--timeout",
    "1.5",
    "--",
    "/bin/sh",
    "-c",
    "x",
  ]);
  assertEquals(plan.server, { executable: "/bin/sh", args: ["-c", "x"] });
  assertEquals(plan.call, { tool: "run", argumentsText: ' {"a":1.0} ' });
  assertEquals([plan.timeoutMs, plan.session], [1_500, undefined]);
  const plain = await read(["--", "/bin/sh"]);
  assertEquals([plain.call, plain.timeoutMs], [{ tool: undefined, argumentsText: undefined }, 20_000]);
  const sessions = await read([
    "--session-start",
    "a",
    "--session-use",
    "b",
    "--session-use-args",
    "{}",
    "--",
    "/x",
  ]);
  assertEquals(sessions.session, {
    start: { tool: "a", argumentsText: undefined },
    use: { tool: "b", argumentsText: "{}" },
  });
});

test("what cannot be meant is a usage error that says what to write", async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [[], "check needs a server"],
    [["--args", "[]", "--", "/x"], "--args takes a JSON object"],
    [["--args", "{", "--", "/x"], "--args takes a JSON object"],
    [["--session-use-args", "1", "--", "/x"], "--session-use-args takes a JSON object"],
    [["--session-start", "a", "--", "/x"], "needed together"],
    [["--", "no-such-program-anywhere"], '"no-such-program-anywhere" is not on PATH'],
  ];
  for (const [args, message] of cases) await assertRejects(() => read(args), UsageError, message);
  await assertRejects(() => read(["--", "/x"], { platform: "windows" }), UsageError, "/bin/sh");
});

test("the tool is the named one, the only one, or exec", () => {
  const [exec, other] = [{ name: "exec", inputSchema: ARRAY }, { name: "other", inputSchema: ARRAY }];
  const choose = (tools: readonly typeof exec[], tool?: string): string =>
    chooseCall(tools, { tool, argumentsText: undefined }).tool.name;
  assertEquals(choose([exec, other]), "exec");
  assertEquals(choose([other]), "other");
  assertEquals(choose([exec, other], "other"), "other");
  assertThrows(() => choose([other, { ...other, name: "more" }]), UsageError, "has: other, more");
  assertThrows(() => choose([exec], "gone"), UsageError, 'no tool "gone"; it has: exec');
  assertThrows(() => choose([]), UsageError, "has: none");
});

test("arguments are the given ones, else a command that does nothing", () => {
  const choose = (inputSchema: unknown, argumentsText?: string): string =>
    chooseCall([{ name: "run", inputSchema }], { tool: undefined, argumentsText }).argumentsText;
  assertEquals(choose(ARRAY), '{"command":["true"]}');
  assertEquals(choose({ properties: { command: { type: "string" } } }), '{"command":"true"}');
  assertEquals(choose(ARRAY, '{"x":1.0}'), '{"x":1.0}');
  for (const schema of [undefined, {}, { properties: { script: { type: "string" } } }]) {
    assertThrows(() => choose(schema), UsageError, "--args");
  }
});

function read(args: readonly string[], runtime: Partial<CliRuntime> = {}): Promise<CheckPlan> {
  return Promise.resolve().then(() =>
    readPlan({ ...createRuntime([]), ...runtime }, readFlags(args, CHECK_FLAGS))
  );
}
