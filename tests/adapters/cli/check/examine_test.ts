import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { CASE_IDS } from "../../../../adapters/cli/check/examine.ts";
import type { Finding } from "../../../../adapters/cli/doctor/finding.ts";
import { UsageError } from "../../../../adapters/cli/program/exit_code.ts";
import { FAULTS, findingsOf, LIMIT, pathOf, planFor } from "./faulty.ts";

test("every faulty server is one that is expected to be found", () => {
  const names = readdirSync(pathOf("base").replace(/\/[^/]*$/, ""))
    .map((name) => name.replace(".ts", "")).filter((name) => name !== "base");
  assertEquals(names.sort(), Object.keys(FAULTS).sort());
});

/** They wait for one another's processes most of the time: two at once take little longer than one. */
const NAMES = Object.keys(FAULTS);
for (let at = 0; at < NAMES.length; at += 2) {
  const pair = NAMES.slice(at, at + 2);
  test(
    `${pair.join(" and ")}: the cases that must fail do, with the right words, and no other does`,
    LIMIT,
    async () => {
      const all = await Promise.all(pair.map((name) => findingsOf(planFor(name))));
      for (const [index, name] of pair.entries()) assertFindings(name, all[index]!);
    },
  );
}

function assertFindings(name: string, findings: readonly Finding[]): void {
  const expected = FAULTS[name]!;
  assertEquals(findings.map(({ id }) => id), [...CASE_IDS]);
  const failed = findings.filter(({ status }) => status === "failed");
  assertEquals([name, failed.map(({ id }) => id).sort()], [name, Object.keys(expected).sort()]);
  for (const { id, found, fix } of failed) {
    assertMatch(found, expected[id]!);
    assertMatch(fix ?? "", /^\S.{20,}/);
  }
}

test(
  "what cannot be told without a server, or without a launch, is skipped and not passed",
  LIMIT,
  async () => {
    const ended = { executable: "/bin/sh", args: ["-c", "echo gone wrong >&2; exit 3"] };
    const none = await findingsOf(planFor("correct", { server: ended }));
    assertEquals(none.map(({ id }) => id), [...CASE_IDS]);
    assertMatch(none[0]!.found, /the server ended without an answer to initialize; it said "gone wrong"/);
    assertEquals(none.map(({ status }) => status), ["failed", ...CASE_IDS.slice(1).map(() => "skipped")]);
    const flood = { executable: "/bin/sh", args: ["-c", "while :; do echo junk; done"] };
    const flooded = await findingsOf(planFor("correct", { server: flood }));
    assertMatch(flooded[0]!.found, /floods its standard output with what is no message, such as "junk"/);
    const idle = await findingsOf(planFor("runs_nothing"));
    assertEquals(idle.slice(0, 3).map(({ status }) => status), ["ok", "ok", "failed"]);
    assertEquals(idle.slice(3).every(({ status }) => status === "skipped"), true);
  },
);

test(
  "a tool that the server has not is the command line's fault, and nothing is left behind",
  LIMIT,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "codex-mcp-examine-")); // other processes check servers, too
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    try {
      await assertRejects(
        () => findingsOf(planFor("correct", { call: { tool: "other", argumentsText: undefined } })),
        UsageError,
        'no tool "other"; it has: exec',
      );
      await findingsOf(planFor("unsandboxed_fallback"));
      assertEquals(readdirSync(folder), []);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(folder, { recursive: true });
    }
  },
);

test("a check that is told to end does so in the middle of a request", LIMIT, async () => {
  const stop = new AbortController();
  const silent = { executable: "/bin/sh", args: ["-c", "read -r line; sleep 600"] };
  const ended = findingsOf(planFor("correct", { server: silent, timeoutMs: 100_000, signal: stop.signal }));
  setTimeout(() => stop.abort(new Error("told to end")), 300);
  await assertRejects(() => ended, Error, "told to end");
});
