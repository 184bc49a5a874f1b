import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { buildResult, SANDBOXED } from "../../../adapters/sandbox/result.ts";
import type { ProcessOutcome } from "../../../adapters/sandbox/run.ts";

const OUTCOME: ProcessOutcome = {
  exitCode: 0,
  signal: null,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  truncated: false,
  timedOut: false,
  cancelled: false,
};

test("a result has these members, whatever else an outcome has", () => {
  const modifiers = ["--sandbox-state-disable-network"];
  const outcome = {
    ...OUTCOME,
    exitCode: 3,
    truncated: true,
    timedOut: true,
    stdout: bytes("o"),
    stderr: bytes("e"),
  };
  assertEquals(buildResult(outcome, { sandboxed: true, modifiers }), {
    exitCode: 3,
    signal: null,
    stdout: "o",
    stderr: "e",
    truncated: true,
    timedOut: true,
    sandboxed: true,
    setupFailed: "unknown",
    modifiers,
  });
});

test("output is UTF-8, with nothing left out and the rest replaced", () => {
  const stdout = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x00, 0x0d, 0x0a, 0xf0, 0x9f, 0x98]);
  const { stdout: text, stderr } = buildResult({ ...OUTCOME, stdout, stderr: bytes("\uFEFFé😀") }, {
    sandboxed: true,
    modifiers: [],
  });
  assertEquals(text, "\uFEFFa\uFFFD\0\r\n\uFFFD");
  assertEquals(stderr, "\uFEFFé😀");
});

test("a set-up certainly worked only where the command exited with 0, or there is no sandbox", () => {
  const failed = (exitCode: number | null, sandboxed: true | false | "policy-disabled" | "unknown") =>
    buildResult({ ...OUTCOME, exitCode, signal: exitCode === null ? "SIGKILL" : null }, {
      sandboxed,
      modifiers: [],
    }).setupFailed;
  for (const sandboxed of [true, "policy-disabled", "unknown"] as const) {
    assertEquals(failed(0, sandboxed), false);
    for (const exitCode of [1, 125, 137, null]) assertEquals(failed(exitCode, sandboxed), "unknown");
  }
  for (const exitCode of [0, 1, null]) assertEquals(failed(exitCode, false), false);
});

test("text on standard error decides nothing", () => {
  const stderr = bytes("bwrap: No permissions to create a new namespace\n");
  const result = buildResult({ ...OUTCOME, exitCode: 0, stderr }, { sandboxed: true, modifiers: [] });
  assertEquals([result.setupFailed, result.exitCode, result.stdout], [false, 0, ""]);
});

test("each kind of profile says what a run was, and only a managed one says that it was in a sandbox", () => {
  assertEquals(SANDBOXED, { managed: true, disabled: "policy-disabled", unknown: "unknown" });
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
