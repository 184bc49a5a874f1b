import { assertEquals, assertMatch } from "@std/assert";
import { test } from "node:test";
import type { Opened } from "../../../../adapters/cli/check/era.ts";
import { checkAdvertised, checkLaunches } from "../../../../adapters/cli/check/opening_cases.ts";
import type { Launch } from "../../../../adapters/cli/check/recorder.ts";

test("the capability has to stand under its current name, as an object, in the capabilities", () => {
  const cases: readonly (readonly [Partial<Opened>, RegExp | null])[] = [
    [{ capabilities: { experimental: { "codex/sandbox-state": {} } } }, null],
    [{
      capabilities: { experimental: { "codex/sandbox-state": { x: 1 }, "codex/sandbox-state-meta": {} } },
    }, null],
    [{ capabilities: { experimental: { "codex/sandbox-state": true } } }, /as true, which is no object/],
    [{ capabilities: { experimental: { "codex/sandbox-state-meta": {} } } }, /only the deprecated name/],
    [{ capabilities: { experimental: {} }, serverInfo: { experimental: {} } }, /name and version/],
    [{ capabilities: { tools: {} } }, /is not advertised/],
    [{}, /is not advertised/],
  ];
  for (const [opened, found] of cases) {
    const verdict = checkAdvertised({
      era: "2025-11-25",
      capabilities: undefined,
      serverInfo: undefined,
      tools: [],
      ...opened,
    });
    assertEquals(verdict.status, found === null ? "ok" : "failed");
    if (found !== null) assertMatch(verdict.found, found);
  }
});

test("a call has to start one codex", () => {
  const launch = (by: string): Launch => ({ by, directory: "/", args: [] });
  const outcome = { marked: false, refused: false, reply: { result: {} }, said: '"done"' };
  const cases: readonly (readonly [Parameters<typeof checkLaunches>[0], RegExp])[] = [
    [{ ...outcome, launches: [launch("command"), launch("launcher")] }, /starts codex sandbox, once/],
    [{ ...outcome, launches: [launch("launcher"), launch("decoy")] }, /started codex 2 times/],
    [{ ...outcome, launches: [launch("command")] }, /WITHOUT the launcher/],
    [{ ...outcome, launches: [], marked: true }, /WITHOUT the launcher/],
    [{ ...outcome, launches: [] }, /no launcher was started, and the answer is "done"/],
    [{ ...outcome, launches: [], refused: true }, /the call was refused: "done"/],
  ];
  for (const [given, found] of cases) assertMatch(checkLaunches(given).found, found);
  const fixOf = (said: string, refused = true) =>
    checkLaunches({ ...outcome, launches: [], refused, said }).fix ?? "";
  assertMatch(fixOf('"STATE_CONFLICT: Cannot"'), /new StdioServerTransport\(stdin\)$/);
  assertMatch(fixOf('"STATE_INEXACT: Cannot"'), /new StdioServerTransport\(stdin\)$/);
  assertMatch(fixOf('"LAUNCHER_INVALID: Cannot"'), /transport: "stdio"/);
  for (const [said, refused] of [['"no"', true], ['"STATE_CONFLICT"', false]] as const) {
    assertMatch(fixOf(said, refused), /^run every command through the call's launcher/);
  }
});
