import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { test } from "node:test";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { readFlags } from "../../../../adapters/cli/program/flags.ts";
import { HELP, SERVE_FLAGS, sessionsPolicy } from "../../../../adapters/cli/serve/flags.ts";

const policyOf = (...words: readonly string[]): unknown => sessionsPolicy(readFlags(words, SERVE_FLAGS));

test("the limits of sessions are the operator's flags", () => {
  const unset = { maxSessions: undefined, idleTimeoutMs: undefined, lifetimeMs: undefined };
  assertEquals(policyOf(), { ...unset, maxOutputBytes: 262_144 });
  const flags = [
    "--max-sessions",
    "3",
    "--session-idle",
    "1.5",
    "--session-lifetime",
    "60",
    "--max-output",
    "10",
  ];
  assertEquals(policyOf(...flags, "--timeout", "5"), {
    maxSessions: 3,
    idleTimeoutMs: 1_500,
    lifetimeMs: 60_000,
    maxOutputBytes: 10,
  });
});

test("the limit of every command is that of a session which has none of its own", () => {
  assertEquals(policyOf("--timeout", "5"), {
    maxSessions: undefined,
    idleTimeoutMs: undefined,
    lifetimeMs: 5_000,
    maxOutputBytes: 262_144,
  });
});

test("values that cannot be meant are refused, and every flag is explained", () => {
  for (const flag of ["--max-sessions", "--session-idle", "--session-lifetime"]) {
    for (const value of ["0", "-1", "many"]) assertThrows(() => policyOf(`${flag}=${value}`), UsageError);
    assertStringIncludes(HELP, `  ${flag} `);
  }
  for (const tool of ["session_start", "session_send", "session_read", "session_end"]) {
    assertStringIncludes(HELP, tool);
  }
});
