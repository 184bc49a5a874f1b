import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { refusalOf, resultOf } from "../../../../adapters/mcp/server/tool_result.ts";
import type { SandboxResult } from "../../../../adapters/sandbox/result.ts";
import { ProcessError, SandboxError } from "../../../../core/errors.ts";

const DONE: SandboxResult = {
  exitCode: 0,
  signal: null,
  stdout: "out\n",
  stderr: "",
  truncated: false,
  timedOut: false,
  sandboxed: true,
  setupFailed: false,
  modifiers: [],
};

test("a refusal is an error with the code in its text and nothing structured", () => {
  assertEquals(refusalOf(new SandboxError("STATE_MISSING", "Cannot run")), {
    isError: true,
    content: [{ type: "text", text: "STATE_MISSING: Cannot run" }],
  });
  assertEquals(
    refusalOf(new ProcessError("SPAWN_FAILED", "Cannot start"))?.content[0]?.text,
    "SPAWN_FAILED: Cannot start",
  );
});

test("another error is no refusal", () => {
  const errors: readonly unknown[] = [
    new Error("x"),
    Object.assign(new Error("x"), { code: "STATE_MISSING" }),
    "x",
    null,
  ];
  assertEquals(errors.map(refusalOf), [null, null, null, null]);
});

test("a result is structured, and its text is the same as JSON", () => {
  const result = resultOf(DONE);
  assertEquals(result.structuredContent, DONE);
  assertEquals(result.content.map(({ text }) => JSON.parse(text)), [DONE]);
  assertEquals(result.isError, false);
});

test("a command that did not exit with 0 is an error with its result", () => {
  const failed: readonly Partial<SandboxResult>[] = [
    { exitCode: 1 },
    { exitCode: null, signal: "SIGKILL" },
    { exitCode: 0, timedOut: true },
  ];
  for (const part of failed) {
    const result = resultOf({ ...DONE, ...part });
    assertEquals([result.isError, result.structuredContent], [true, { ...DONE, ...part }]);
  }
});
