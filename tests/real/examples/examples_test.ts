/**
 * Each example, started by the one command that `examples/README.md` gives, with the real Codex CLI: what it prints is
 * what the table says, and what the sandbox and the host have to do to it.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "node:test";
import { realCodex } from "../../fixtures/codex_host/codex.ts";
import { createPlace } from "../../fixtures/codex_host/place.ts";
import { path } from "../../fixtures/codex_host/servers.ts";
import { LIMIT } from "../codex/turns.ts";

/** A row of the table. */
interface Row {
  /** Words after `deno task`. */
  readonly command: readonly string[];
  /** What the row says is printed. */
  readonly prints: readonly string[];
}

/** One call that writes, and the same call under a policy that lets nothing be written. */
function checkPolicies(output: string): void {
  const [allowed = "", denied = ""] = output.split(/^(?=read-only: )/m);
  assertMatch(allowed, /^workspace-write: {/);
  for (const line of ["exitCode: 0,", 'stdout: "written\\n",', "sandboxed: true,"]) {
    assertStringIncludes(allowed, line);
  }
  assertMatch(denied, /exitCode: [1-9]\d*,\s+signal: null,\s+stdout: "",\s+stderr: ".*note\.txt/);
  assertStringIncludes(denied, "sandboxed: true,");
}

function checkRepl(output: string): void {
  const answers = output.split(/^(?=> )/m);
  assertEquals(answers.length, 6, output);
  const [kept = "", used = "", written = "", other = "", changed = "", ended = ""] = answers;
  assertStringIncludes(kept, 'output: "undefined\\n"');
  assertStringIncludes(used, 'output: "42\\n"');
  assertMatch(written, /output: "Uncaught Error: .*note\.txt/);
  assertStringIncludes(other, "SESSION_UNKNOWN: ");
  assertStringIncludes(changed, "AUTHORITY_CHANGED: ");
  assertStringIncludes(ended, "SESSION_ENDED: ");
}

function checkAgent(output: string): void {
  assertMatch(output, /^sandboxed: {\s+exitCode: [1-9]\d*,/m);
  assertMatch(output, /^enterprise: .*"account":"alice"/ms);
  assertMatch(output, /^refused: (REAUTHORIZATION_REQUIRED|SIGN_IN_REQUIRED) Cannot/m);
  assert(!/eyJ|permissionProfile/.test(output), "a token or the policy was printed");
}

/** `tests/real/edge` has the rest. */
function checkWorker(output: string): void {
  const calls = output.trimEnd().split("\n");
  assertEquals(calls.length, 4, output);
  for (const [index, name] of ["alice", "alice", "bob"].entries()) {
    assertStringIncludes(calls[index] ?? "", `\\"account\\":\\"${name}\\"`);
  }
  assertMatch(calls[3] ?? "", /^nobody: 401, exchanges: 0, .*"SIGN_IN_REQUIRED"/);
  assert(!output.includes("eyJ"), "a token was printed");
}

const CHECKS: Readonly<Record<string, (output: string) => void>> = {
  "server-sdk-v1": checkPolicies,
  "server-sdk-v2": checkPolicies,
  "server-no-sdk": checkPolicies,
  "repl": checkRepl,
  "agent": checkAgent,
  "worker": checkWorker,
};

async function rowsOfTable(): Promise<readonly Row[]> {
  const text = await Deno.readTextFile(path("examples/README.md"));
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && line.includes("`deno task "));
  return rows.map((line) => {
    const [, command = "", prints = ""] = line.split("|").slice(1, -1);
    return { command: codeIn(command)[0]?.split(" ").slice(2) ?? [], prints: codeIn(prints) };
  });
}

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function start(command: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", path("deno.json"), ...command],
    env: { NO_COLOR: "1", ...environment },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

for (const [name, check] of Object.entries(CHECKS)) {
  test(`deno task example ${name} prints what its row says`, LIMIT, async () => {
    await using place = await createPlace();
    await realCodex();
    const row = (await rowsOfTable()).find(({ command }) => command.join(" ") === `example ${name}`);
    assert(row !== undefined, `examples/README.md has no row for ${name}`);
    const { code, stdout, stderr } = await start(row.command, { CODEX_HOME: place.home });
    assertEquals(code, 0, stdout + stderr);
    check(stdout);
    for (const printed of row.prints) assertStringIncludes(stdout, printed);
  });
}

test("every example of the table has its test, and a name that is none says which there are", async () => {
  const names = (await rowsOfTable()).map(({ command }) => command.join(" "));
  const tested = Object.keys(CHECKS).map((name) => `example ${name}`);
  assertEquals(names.toSorted(), tested.toSorted());
  const { code, stderr } = await start(["example", "none"]);
  assertEquals(code, 2);
  for (const name of Object.keys(CHECKS)) assertStringIncludes(stderr, name);
});
