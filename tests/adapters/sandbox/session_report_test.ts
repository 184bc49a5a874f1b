import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { reportSession, type SessionHealth } from "../../../adapters/sandbox/session_report.ts";

const RUNNING: SessionHealth = { state: "running", exitCode: null, signal: null, endedBy: null };
const PARTS = {
  sessionId: "id",
  restarted: true,
  inputSent: false,
  sandboxed: true,
  modifiers: ["--x"],
  health: RUNNING,
  output: { stdout: "out", stderr: "err", droppedBytes: 0 },
} as const;

test("a report holds everything that is known, and nothing else", () => {
  assertEquals(reportSession(PARTS), {
    sessionId: "id",
    state: "running",
    exitCode: null,
    signal: null,
    endedBy: null,
    stdout: "out",
    stderr: "err",
    truncated: false,
    droppedBytes: 0,
    restarted: true,
    inputSent: false,
    sandboxed: true,
    setupFailed: "unknown",
    modifiers: ["--x"],
  });
});

test("dropped output is told, and a set-up is certain where it can be", () => {
  const ended = (exitCode: number | null): SessionHealth => ({
    state: "ended",
    exitCode,
    signal: null,
    endedBy: "exit",
  });
  assertEquals(reportSession({ ...PARTS, output: { ...PARTS.output, droppedBytes: 3 } }).truncated, true);
  assertEquals(reportSession({ ...PARTS, health: ended(0) }).setupFailed, false);
  assertEquals(reportSession({ ...PARTS, health: ended(1) }).setupFailed, "unknown");
  assertEquals(reportSession({ ...PARTS, sandboxed: false }).setupFailed, false);
});
