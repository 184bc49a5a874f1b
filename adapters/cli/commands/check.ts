/**
 * `codex-mcp check`: does someone's MCP server honour the sandbox contract? The server is started as a host starts
 * it, with recording stand-ins where `codex` would be.
 *
 * The cases are in `check/`; this file reads the command line and tells what they found.
 *
 * @module
 */

import process from "node:process";
import { examine } from "../check/examine.ts";
import { CHECK_FLAGS, readPlan } from "../check/plan.ts";
import type { Finding } from "../doctor/finding.ts";
import type { Command } from "../program/command.ts";
import { EXIT } from "../program/exit_code.ts";
import type { Flags } from "../program/flags.ts";
import type { CliRuntime } from "../program/runtime.ts";
import { paint, print, printJson, type Tone } from "../terminal/terminal.ts";

const HELP = `codex-mcp check [flags] -- SERVER CMD…

Starts the stdio MCP server as a host does, calls the tool that makes it start a command, and reports case by case
whether it honours the sandbox contract: ok, failed (with the fix), or skipped. No Codex is needed: stand-ins record
what the server starts, and run the command WITHOUT a sandbox, so name a harmless one. Exits with 1 when a case
failed.

  --tool NAME                the tool that starts a command (default: the only one, or exec)
  --args JSON                its arguments (default: {"command":["true"]} if it takes a command). {marker} in them
                             becomes the path of a file; arguments that make the command create it find more
  --session-start NAME       a tool that begins something which outlives its call, such as a REPL
  --session-start-args JSON  its arguments
  --session-use NAME         a tool that uses it
  --session-use-args JSON    its arguments; {session} in them becomes the id in the first one's answer
  --timeout SECONDS          for each answer (default 20)
  --json                     print one JSON document: { "ok", "checks": [{ "id", "status", "found", "fix" }] }

  codex-mcp check --tool run --args '{"script":"touch {marker}"}' -- node my_server.js
`;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The command. */
export const CHECK: Command = { help: HELP, flags: CHECK_FLAGS, run: check };

async function check(runtime: CliRuntime, flags: Flags): Promise<number> {
  const plan = await readPlan(runtime, flags);
  const findings: Finding[] = [];
  const interrupted = new AbortController();
  const interrupt = (signal: string): void => interrupted.abort(new Error(`Interrupted by ${signal}`));
  const outputClosed = new Error("Nobody reads the findings");
  const giveUp = (): void => interrupted.abort(outputClosed);
  for (const signal of SIGNALS) process.once(signal, interrupt);
  process.stdout.once("error", giveUp);
  try {
    await examine({ ...plan, signal: interrupted.signal }, (finding) => {
      findings.push(finding);
      if (!flags.has("json")) printFinding(finding);
    });
  } catch (error) {
    if (error !== outputClosed) throw error;
    return EXIT.failed;
  } finally {
    process.stdout.off("error", giveUp);
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
  const ok = findings.every(({ status }) => status !== "failed");
  if (flags.has("json")) printJson({ ok, checks: findings });
  return ok ? EXIT.done : EXIT.failed;
}

const TONES: Readonly<Record<Finding["status"], Tone>> = { ok: "good", failed: "bad", skipped: "quiet" };

function printFinding({ id, status, found, fix }: Finding): void {
  print(`${paint(status.padEnd(7), TONES[status])}  ${id.padEnd(25)}  ${found}`);
  if (fix !== undefined) print(`${" ".repeat(36)}fix: ${fix}`);
}
